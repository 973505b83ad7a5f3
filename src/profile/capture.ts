import type { Capture } from './profile.ts';

/** The input of a capture: the answer's body as text (null: none was kept) and its headers by lower-case name. */
export interface CapturableAnswer {
  readonly body: string | null;
  /** Why the body still has its content codings; absent: it has none. */
  readonly undecoded?: string | undefined;
  readonly headers: Readonly<Record<string, readonly string[]>>;
}

/**
 * Takes all captures from an answer. Returns the values as text (numbers with the digits that were sent, if the runtime
 * can tell), or one sentence for each capture that found nothing.
 */
export function captureValues(
  captures: readonly Capture[],
  answer: CapturableAnswer,
): { readonly values: Readonly<Record<string, string>> } | { readonly errors: readonly string[] } {
  const values: Record<string, string> = {};
  const errors: string[] = [];
  for (const { name, from } of captures) {
    const taken = 'pointer' in from ? fromBody(from.pointer, answer) : fromHeader(from, answer.headers);
    if ('value' in taken) values[name] = taken.value;
    else errors.push(`capture ${name}: ${taken.error}`);
  }
  return errors.length === 0 ? { values } : { errors };
}

/** Splits a JSON Pointer into its reference tokens (RFC 6901, section 3 and 4); null if it is not one. */
export function pointerTokens(pointer: string): readonly string[] | null {
  if (pointer === '') return [];
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return null;
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

type Taken = { readonly value: string } | { readonly error: string };

function fromBody(pointer: string, { body, undecoded }: CapturableAnswer): Taken {
  const tokens = pointerTokens(pointer);
  if (!tokens) return { error: `"${pointer}" is not a JSON Pointer` };
  if (body === null || body.trim() === '') return { error: 'the answer has no body' };
  let found: unknown;
  try {
    found = JSON.parse(body, keepDigits);
  } catch {
    return { error: `the body of the answer is not JSON${undecoded === undefined ? '' : `: ${undecoded}`}` };
  }
  for (const [depth, token] of tokens.entries()) {
    const step = child(found, token);
    if (step === undefined) return { error: `the body of the answer has nothing at ${pathTo(tokens, depth)}` };
    found = step;
  }
  if (found instanceof Digits) return { value: found.text };
  if (typeof found === 'string' || typeof found === 'boolean') return { value: String(found) };
  const what = found === null ? 'null' : Array.isArray(found) ? 'an array' : 'an object';
  return { error: `the value at ${pathTo(tokens, tokens.length - 1)} is ${what}, not a string, number or boolean` };
}

/** A number as it was written: 64-bit identifiers do not survive as a double. */
class Digits {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A reviver; `context.source` exists in runtimes with ES2026 JSON.parse (Node 22 and later), but not in k6. */
function keepDigits(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' ? new Digits(context?.source ?? String(value)) : value;
}

/** What an array or an object has under a reference token; undefined: nothing. */
export function child(value: unknown, token: string): unknown {
  if (Array.isArray(value)) return /^(0|[1-9][0-9]*)$/.test(token) ? value[Number(token)] : undefined;
  if (typeof value !== 'object' || value === null || value instanceof Digits) return undefined;
  return Object.hasOwn(value, token) ? (value as Record<string, unknown>)[token] : undefined;
}

function pathTo(tokens: readonly string[], depth: number): string {
  const parts = tokens.slice(0, depth + 1).map((token) => token.replaceAll('~', '~0').replaceAll('/', '~1'));
  return parts.length === 0 ? 'its top' : `/${parts.join('/')}`;
}

function fromHeader(
  from: { readonly header: string; readonly pattern: string | null },
  headers: CapturableAnswer['headers'],
): Taken {
  const [value] = headers[from.header.toLowerCase()] ?? [];
  if (value === undefined) return { error: `the answer has no header ${from.header}` };
  if (from.pattern === null) return { value: value.trim() };
  const match = new RegExp(from.pattern, 'u').exec(value.trim());
  if (!match) return { error: `the header ${from.header} does not match the pattern ${from.pattern}` };
  return { value: match[1] ?? match[0] };
}
