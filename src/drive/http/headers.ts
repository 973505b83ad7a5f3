import type { CapturedHeaders } from '../../trace/exchange.ts';

/** Values longer than this are cut; values that a verdict needs are much shorter. */
const MAX_VALUE = 256;
/** So much of a value is looked through for keys: whole keys in any encoding, where what is kept of it begins with one. */
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
 * Takes from a response's head what a trace may hold. Each field line stays apart and as it came; bytes are read as
 * Latin-1, so that any value survives.
 *
 * @param raw names and values in turn, as undici and Node give them
 * @param redact replaces API keys in a text by their aliases
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

/** All header fields by lower-case name, as they came. */
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
