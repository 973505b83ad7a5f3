import type { CapturedHeaders } from '../../trace/exchange.ts';

/** Longer values are cut. Values that a verdict needs are much shorter. */
const MAX_VALUE = 256;
/**
 * This much of a value is searched for keys. It is enough to contain a whole key, in any encoding, that begins in the
 * part that is kept.
 */
const MAX_SEARCHED = 4 * MAX_VALUE;
/** The maximum number of values kept for one name. */
const MAX_REPEATS = 16;

/** An allow-list, because a name that the target chooses could contain anything. */
const ALLOWED = new Set([
  'age',
  'allow',
  'cache-control',
  'content-length',
  'content-type',
  'location',
  'ratelimit',
  'ratelimit-limit',
  'ratelimit-policy',
  'ratelimit-remaining',
  'ratelimit-reset',
  'server',
  'via',
  'www-authenticate',
  'x-ratelimit-policy',
  'x-ratelimit-resource',
  'x-ratelimit-scope',
  'x-ratelimit-used',
  'x-request-id',
]);

const NAMED: Readonly<Record<string, Exclude<keyof CapturedHeaders, 'other'>>> = {
  'x-ratelimit-limit': 'limit',
  'x-ratelimit-remaining': 'remaining',
  'x-ratelimit-reset': 'reset',
  date: 'date',
  'retry-after': 'retryAfter',
};

/**
 * Extracts from the head of a response what a trace may contain. Each field line stays separate and unchanged. Bytes
 * are read as Latin-1, so no value is lost.
 *
 * @param raw names and values, alternating, as undici and Node give them
 * @param redact replaces API keys in a text with their aliases
 */
export function captureHeaders(raw: readonly (Buffer | string)[], redact: (text: string) => string): CapturedHeaders {
  const named: Record<Exclude<keyof CapturedHeaders, 'other'>, string[]> = {
    limit: [],
    remaining: [],
    reset: [],
    date: [],
    retryAfter: [],
  };
  const other = new Map<string, string[]>();
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = text(raw[at]).toLowerCase();
    const field = Object.hasOwn(NAMED, name) ? NAMED[name] : undefined;
    if (!field && !ALLOWED.has(name)) continue;
    const values = field ? named[field] : (other.get(name) ?? []);
    if (!field) other.set(name, values);
    if (values.length < MAX_REPEATS) values.push(clean(text(raw[at + 1]), redact));
  }
  return { ...named, other: Object.fromEntries(other) };
}

/** All header fields by lower-case name, unchanged. */
export function allFields(raw: readonly (Buffer | string)[]): Readonly<Record<string, readonly string[]>> {
  const fields = new Map<string, string[]>();
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = text(raw[at]).toLowerCase();
    const values = fields.get(name) ?? [];
    fields.set(name, values);
    values.push(text(raw[at + 1]));
  }
  return Object.fromEntries(fields);
}

/** Redacts before cutting, because half a key is also a secret. */
function clean(value: string, redact: (text: string) => string): string {
  return redact(value.slice(0, MAX_SEARCHED)).slice(0, MAX_VALUE);
}

function text(value: Buffer | string | undefined): string {
  return typeof value === 'string' ? value : (value?.toString('latin1') ?? '');
}
