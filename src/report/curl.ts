import type { Profile, RequestTemplate } from '../profile/profile.ts';
import type { Exchange } from '../trace/exchange.ts';

/**
 * A shell line that sends the request of `exchange` again, with the key as `$SIZE_CHART_KEY`: `-i` shows the headers that
 * matter. Bodies are not part of a trace, so the profile's template stands in for what was sent.
 */
export function curlOf(exchange: Exchange, profile: Profile): string {
  const template = templateOf(exchange, profile);
  const base = exchange.variation === 'outside-prefix' ? new URL(profile.baseUrl).origin : profile.baseUrl;
  const url = `${base}${exchange.target}`;
  const words = [
    'curl -i',
    ...(exchange.method === 'HEAD' ? ['-I'] : exchange.method === 'GET' ? [] : [`-X ${quote(exchange.method)}`]),
    ...credentialOptions(exchange),
    ...headerOptions(exchange, template),
    ...bodyOptions(exchange, template),
    exchange.credential === 'query'
      ? `"${url.replace(/(["$`\\])/g, '\\$1').replace(/=key-\d+/, '=$SIZE_CHART_KEY')}"`
      : quote(url),
  ];
  return words.join(' ');
}

/** The template that the request was made from: a probe's where it was one, else the operation's. */
function templateOf(exchange: Exchange, profile: Profile): RequestTemplate | undefined {
  const { invalidParameter, notFound, forbidden, internalFailure } = profile.probes;
  const probes = { parameter: invalidParameter, missing: notFound, permission: forbidden, internal: internalFailure };
  const candidates = exchange.fault in probes ? probes[exchange.fault as keyof typeof probes] : [];
  const probe = candidates.find((each) => each.operation === exchange.operation && each.method === exchange.method);
  return probe ?? profile.operations.find((each) => each.id === exchange.operation);
}

/** How a request presented its key, as curl options. */
function credentialOptions(exchange: Exchange): string[] {
  const key = keyText(exchange);
  switch (exchange.credential) {
    case 'none':
    case 'query':
      return [];
    case 'bearer':
      return [`-H "Authorization: Bearer ${key}"`];
    case 'bearer-lowercase':
      return [`-H "Authorization: bearer ${key}"`];
    case 'bearer-uppercase':
      return [`-H "Authorization: BEARER ${key}"`];
    case 'bearer-extra-space':
      return [`-H "Authorization: Bearer  ${key}"`];
    case 'both-same':
      return [`-H "X-API-Key: ${key}"`, `-H "Authorization: Bearer ${key}"`];
    case 'header-repeated':
      return [`-H "X-API-Key: ${key}"`, `-H "X-API-Key: ${key}"`];
    case 'both-different':
      return [`-H "X-API-Key: ${key}"`, '-H "Authorization: Bearer $SIZE_CHART_OTHER_KEY"'];
    case 'both-one-invalid':
      return [`-H "X-API-Key: ${key}"`, '-H "Authorization: Bearer not-a-key"'];
    case 'cookie':
      return [`-H "Cookie: api_key=${key}"`];
    case 'wrong-scheme':
      return [`-H "Authorization: Basic ${key}"`];
    default:
      // An empty value needs curl's own spelling: a semicolon in place of the colon.
      return exchange.variation === 'empty' ? ["-H 'X-API-Key;'"] : [`-H "X-API-Key: ${key}"`];
  }
}

function keyText(exchange: Exchange): string {
  if (exchange.key === 'restricted') return '$SIZE_CHART_RESTRICTED_KEY';
  if (exchange.key === 'revoked') return '$SIZE_CHART_REVOKED_KEY';
  if (exchange.variation === 'altered') return '$SIZE_CHART_KEY-altered';
  if (exchange.variation === 'lengthened') return '$SIZE_CHART_KEY-and-more';
  if (exchange.variation === 'shortened') return '$(printf %.4s "$SIZE_CHART_KEY")';
  if (exchange.key === 'unknown' || exchange.variation === 'unknown') return 'not-a-key';
  return '$SIZE_CHART_KEY';
}

function headerOptions(exchange: Exchange, template: RequestTemplate | undefined): string[] {
  const own = Object.entries(template?.headers ?? {}).map(
    ([name, value]) => `-H ${quote(`${name}: ${filled(value, exchange)}`)}`,
  );
  switch (exchange.variation) {
    case 'forwarded-for':
      return [...own, "-H 'X-Forwarded-For: 198.51.100.7'"];
    case 'forwarded':
      return [...own, "-H 'Forwarded: for=198.51.100.7'"];
    case 'user-agent':
      return [...own, "-A 'another-client/1.0'"];
    default:
      return own;
  }
}

function bodyOptions(exchange: Exchange, template: RequestTemplate | undefined): string[] {
  if (!template?.body) return [];
  const { contentType, text } = template.body;
  return [`-H ${quote(`Content-Type: ${contentType}`)}`, `--data-raw ${quote(filled(text, exchange))}`];
}

/** With values in place of the generated variables: what was sent is not recorded, and any value will do. */
function filled(text: string, { seq }: Exchange): string {
  const uuid = `00000000-0000-4000-8000-${String(seq).padStart(12, '0')}`;
  return text.replace(/\{\{\s*(uuid|counter|timestamp)\s*\}\}/g, (_, name: string) =>
    name === 'uuid' ? uuid : String(seq),
  );
}

/** One word for a POSIX shell: plain where it can be, else in single quotes. */
export function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
