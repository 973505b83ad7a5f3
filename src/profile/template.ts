import type { RequestTemplate } from './profile.ts';

/** Variables that need no capture: a new value for each sending, the same wherever it stands in that one request. */
export const GENERATED = ['uuid', 'counter', 'timestamp'] as const;

/** Where generated values come from. All effects are injected, so that rendering is pure in tests and in k6. */
export interface ValueSource {
  /** A random UUID, version 4. */
  uuid(): string;
  /** Rises by one from 1. */
  counter(): number;
  /** ms since the Unix epoch. */
  timestamp(): number;
}

/** A request with no variable left, ready to be sent below the base URL. */
export interface RenderedRequest {
  readonly method: string;
  /** Path and query below the base URL. */
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: { readonly contentType: string; readonly text: string } | null;
}

/**
 * A variable without a value. The profile reader refuses profiles in which this can happen before a capture has failed.
 */
export class MissingVariable extends Error {
  readonly variable: string;
  constructor(variable: string) {
    super(`there is no value for {{${variable}}}: the answer of the operation that captures it did not contain one`);
    this.name = 'MissingVariable';
    this.variable = variable;
  }
}

/**
 * Fills a template in. A value is percent-encoded in path and query, escaped in a JSON body, and as it is in headers
 * and other bodies. Throws a `MissingVariable` where a name is neither generated nor among the variables.
 */
export function renderRequest(
  template: RequestTemplate,
  variables: Readonly<Record<string, string>>,
  source: ValueSource,
): RenderedRequest {
  const lookUp = valuesOfOneSending(variables, source);
  const plain = (text: string) => fill(text, lookUp);
  const path = fill(template.path, (name) => encodeURIComponent(lookUp(name)));
  const query = Object.entries(template.query).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(plain(value))}`,
  );
  return {
    method: template.method,
    target: query.length === 0 ? path : `${path}?${query.join('&')}`,
    headers: Object.entries(template.headers).map(([name, value]) => [name, plain(value)] as const),
    body: template.body && {
      contentType: template.body.contentType,
      text: isJson(template.body.contentType)
        ? fill(template.body.text, (name) => JSON.stringify(lookUp(name)).slice(1, -1))
        : plain(template.body.text),
    },
  };
}

/** Names of the variables in a text, in order, each once. */
export function variablesIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(VARIABLE)].map((match) => match[1] ?? ''))];
}

/** The first `{{` that does not start a well-formed variable, with the text after it; null if there is none. */
export function malformedVariable(text: string): string | null {
  const rest = text.replace(VARIABLE, '');
  const start = rest.indexOf('{{');
  return start < 0 ? null : rest.slice(start, start + 20);
}

/** Generated values from a source of random 32-bit unsigned integers and a wall clock in ms. */
export function valueSource(random32: () => number, now: () => number): ValueSource {
  let count = 0;
  return {
    uuid: () => uuid([random32(), random32(), random32(), random32()]),
    counter: () => ++count,
    timestamp: () => Math.floor(now()),
  };
}

const VARIABLE = /\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g;

function fill(text: string, lookUp: (name: string) => string): string {
  return text.replace(VARIABLE, (_, name: string) => lookUp(name));
}

function valuesOfOneSending(
  variables: Readonly<Record<string, string>>,
  source: ValueSource,
): (name: string) => string {
  const generated = new Map<string, string>();
  return (name) => {
    const known = Object.hasOwn(variables, name) ? variables[name] : generated.get(name);
    if (known !== undefined) return known;
    const value = generate(name, source);
    if (value === null) throw new MissingVariable(name);
    generated.set(name, value);
    return value;
  };
}

function generate(name: string, source: ValueSource): string | null {
  if (name === 'uuid') return source.uuid();
  if (name === 'counter') return String(source.counter());
  if (name === 'timestamp') return String(source.timestamp());
  return null;
}

function isJson(contentType: string): boolean {
  return /[/+]json\s*(;|$)/i.test(contentType);
}

/** RFC 9562, 5.4: 122 random bits, version 4 and variant 10 in their places. */
function uuid(words: readonly number[]): string {
  const hex = words.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
  const variant = (8 + (Number.parseInt(hex.charAt(16), 16) % 4)).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}
