import { FORGED_HEADERS } from '../catalogue/forged-headers.ts';
import type { Profile, RequestTemplate } from '../profile/profile.ts';
import { MALFORMED_JSON } from '../profile/repetition.ts';
import type { Exchange } from '../trace/exchange.ts';

/**
 * The arguments with which curl sends the request of `exchange` again, as words of a shell, with the key as a variable
 * such as `$KEY_1`. Bodies of the profile are not part of a trace, so its template stands in for what was sent.
 */
export function curlWords(exchange: Exchange, profile: Profile): string {
  const template = templateOf(exchange, profile);
  const base = exchange.variation === 'outside-prefix' ? new URL(profile.baseUrl).origin : profile.baseUrl;
  const [, path = exchange.target, name] =
    (exchange.credential === 'query' && /^(.*)[?&](\w+)=key-\d+$/.exec(exchange.target)) || [];
  const words = [
    ...(exchange.method === 'HEAD' ? ['-I'] : exchange.method === 'GET' ? [] : [`-X ${quote(exchange.method)}`]),
    ...credentialOptions(exchange),
    ...headerOptions(exchange, { ...profile.http.headers, ...template?.headers }),
    ...bodyOptions(exchange, template),
    // So curl writes a key in the form that a URL needs.
    ...(name === undefined ? [] : [`--url-query "${name}=${keyText(exchange)}"`]),
    quote(`${base}${path}`),
  ];
  return words.join(' ');
}

/** The template of the request: the probe's if it was one, else the operation's. */
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
      return [`-H "X-API-Key: ${key}"`, '-H "Authorization: Bearer $KEY_2"'];
    case 'both-one-invalid':
      return [`-H "X-API-Key: ${key}"`, '-H "Authorization: Bearer not-a-key"'];
    case 'cookie':
      return [`-H "Cookie: api_key=${key}"`];
    case 'wrong-scheme':
      return [`-H "Authorization: Basic ${key}"`];
    default:
      // For an empty value curl needs a semicolon instead of the colon.
      return exchange.variation === 'empty' ? ["-H 'X-API-Key;'"] : [`-H "X-API-Key: ${key}"`];
  }
}

/** The forms of a bad key have no equivalent in the shell: the user sets `BAD_KEY` as the script says. */
function keyText({ key, fault }: Exchange): string {
  if (fault === 'bad-key') return '$BAD_KEY';
  if (key === 'restricted') return '$SIZE_CHART_RESTRICTED_KEY';
  if (key === 'revoked') return '$SIZE_CHART_REVOKED_KEY';
  return `$KEY_${/^key-(\d+)$/.exec(key ?? '')?.[1] ?? '1'}`;
}

/**
 * The headers of a template. A recording does not contain their values: each is a variable named after the header, such
 * as `$X_TENANT`.
 */
function headerOptions(exchange: Exchange, headers: Readonly<Record<string, string>>): string[] {
  const odd = exchange.odd?.headers ?? [];
  const own = [
    ...Object.keys(besideOdd(headers, odd)).map((name) => `-H ${variableHeader(name)}`),
    ...odd.map(headerOption),
  ];
  const forged = Object.entries(FORGED_HEADERS).find(([variation]) => variation === exchange.variation);
  if (!forged) return own;
  const [, header] = forged;
  return [...own, header[0] === 'User-Agent' ? `-A ${quote(header[1])}` : headerOption(header)];
}

/** The headers of a template that no odd one replaces, however its name is written. */
export function besideOdd(
  headers: Readonly<Record<string, string>>,
  odd: readonly (readonly [string, string])[],
): Readonly<Record<string, string>> {
  const replaced = new Set(odd.map(([name]) => name.toLowerCase()));
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !replaced.has(name.toLowerCase())));
}

/** A header whose value stands in a variable, as one word. */
export function variableHeader(name: string): string {
  return `"${name}: $${variableOf(name)}"`;
}

/** A header with its value. For an empty one curl needs a semicolon instead of the colon. */
export function headerOption([name, value]: readonly [string, string]): string {
  return `-H ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`;
}

/** The variable that stands for the value of a header. */
export function variableOf(header: string): string {
  return header.toUpperCase().replace(/[^A-Z0-9]/g, '_');
}

function bodyOptions(exchange: Exchange, template: RequestTemplate | undefined): string[] {
  const body = exchange.odd?.body ?? template?.body;
  if (!body) return [];
  const { contentType, text: usual } = body;
  const isUnknown = exchange.variation === 'malformed-body' && !exchange.odd;
  const text = isUnknown ? MALFORMED_JSON : usual;
  return [`-H ${quote(`Content-Type: ${contentType}`)}`, `--data-raw ${quoteLines(filled(text, exchange))}`];
}

/** With values instead of the generated variables: the sent values are not recorded, and any value works. */
function filled(text: string, { seq }: Exchange): string {
  const uuid = `00000000-0000-4000-8000-${String(seq).padStart(12, '0')}`;
  return text.replace(/\{\{\s*(uuid|counter|timestamp)\s*\}\}/g, (_, name: string) =>
    name === 'uuid' ? uuid : String(seq),
  );
}

/**
 * As `quote`. A carriage return, which multipart forms contain, would get lost when the text is shown and copied, so
 * `$CR` stands for it.
 */
function quoteLines(text: string): string {
  return quote(text).replaceAll('\r', `'"$CR"'`);
}

/** One word for a POSIX shell: plain if possible, else in single quotes. */
export function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
