import fc from 'fast-check';
import type { OwnParameter } from '../plan/own-parameters.ts';
import { jsonOf } from '../profile/json.ts';
import type { Operation } from '../profile/profile.ts';
import { MALFORMED_JSON, takesJson } from '../profile/repetition.ts';

/** In what a request is odd: by this name in the trace. */
export type Oddity = 'malformed-body' | 'wrong-types' | 'content-type' | 'parameters' | 'headers';

/**
 * An operation with something odd and legal about its request: HTTP allows it, and the specification does not say what
 * must follow.
 */
export interface OddRequest {
  readonly operation: Operation;
  readonly oddity: Oddity;
  /** These three in place of the operation's own. */
  readonly path: string;
  readonly query: Operation['query'];
  readonly body: Operation['body'];
  /** Parameters to add to the query: names and values, not yet percent-encoded. */
  readonly parameters: readonly (readonly [string, string])[];
  readonly headers: readonly (readonly [string, string])[];
}

/** One way to leave what an interface description says of an operation's request. */
export interface RuledOut {
  /** Its id in the profile. */
  readonly operation: string;
  readonly where: 'path' | 'query' | 'header' | 'body';
  /** In the body a place; else the parameter's name, or in the path the number of its segment. */
  readonly place: Place;
  /**
   * What the description rules out there, as text but for the body; absent: the place is left out, which is required.
   */
  readonly value?: unknown;
}

/** Names and numbers that lead to a part of a JSON value. */
export type Place = readonly (string | number)[];

/** Bytes of a header or parameter: well below what servers are known to take (8 KiB for all of a head). */
const LONGEST = 1000;

const MALFORMED = [
  '{',
  '{"',
  '[',
  '{"name":}',
  '{,}',
  "{'name':1}",
  'nul',
  '"',
  '[1,]',
  '{"name":1}{',
  '\u0000',
  '<x/>',
];

const TYPES = [
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'application/octet-stream',
  'application/json; charset=utf-16',
  'application/problem+json',
  'json',
];

/**
 * Names that change nothing of what is asked for: none that makes a request conditional, partial, or one for another
 * form or place.
 */
const HEADERS = [
  'X-Odd',
  'X-Request-ID',
  'Accept-Language',
  'User-Agent',
  'Referer',
  'Cookie',
  'Priority',
  'DNT',
  'x_odd.~1',
];

/** A body that is no JSON, for an operation that takes JSON: in every run to certify. */
export function malformedJson(operation: Operation): OddRequest {
  const { body } = operation;
  return { ...plain(operation), oddity: 'malformed-body', body: body && { ...body, text: MALFORMED_JSON } };
}

/** A query parameter that the profile names, with another value in place of its own. */
export function otherValue({ operation, name, value }: OwnParameter): OddRequest {
  const [path = '', inPath] = operation.path.split('?');
  const isIt = (each: string): boolean => each.split('=')[0] === name;
  const parts = inPath?.split('&').map((each) => (isIt(each) ? `${name}=${encodeURIComponent(value)}` : each));
  return {
    ...plain(operation),
    oddity: 'parameters',
    path: parts === undefined ? path : `${path}?${parts.join('&')}`,
    query: name in operation.query ? { ...operation.query, [name]: value } : operation.query,
  };
}

/**
 * Arbitrary odd requests of the operations, of which there must be one at least: where an interface description rules
 * something out for an operation, every second one is against that.
 */
export function oddRequests(
  operations: readonly Operation[],
  ruledOut: readonly RuledOut[] = [],
): fc.Arbitrary<OddRequest> {
  return fc.constantFrom(...operations).chain((operation) => {
    const { body } = operation;
    const bodies = body === null ? [] : [bodyOf(operation, body), contentType(operation, body)];
    const any = fc.oneof(parameters(operation), headers(operation), ...bodies);
    const own = ruledOut.flatMap((each) => (each.operation === operation.id ? (against(operation, each) ?? []) : []));
    return own.length === 0 ? any : fc.oneof(any, fc.constantFrom(...own));
  });
}

/** The request with one part against the description; null where the profile's own body is no JSON to put it into. */
function against(operation: Operation, { where, place, value }: RuledOut): OddRequest | null {
  const base = plain(operation);
  const [name = ''] = place;
  const written = String(value);
  switch (where) {
    case 'path': {
      const [path = '', query] = operation.path.split('?');
      const parts = path.split('/').map((part, index) => (index - 1 === name ? encodeURIComponent(written) : part));
      return {
        ...base,
        oddity: 'parameters',
        path: [parts.join('/'), ...(query === undefined ? [] : [query])].join('?'),
      };
    }
    case 'query': {
      const kept = Object.entries(operation.query).filter(([each]) => each !== name);
      return { ...base, oddity: 'parameters', query: Object.fromEntries(kept), parameters: [[`${name}`, written]] };
    }
    case 'header':
      return { ...base, oddity: 'headers', headers: [[`${name}`, written]] };
    case 'body': {
      const whole = operation.body === null ? undefined : jsonOf(operation.body.text);
      if (operation.body === null || whole === undefined) return null;
      const text = JSON.stringify(put(whole, place, value));
      return text === undefined ? null : { ...base, oddity: 'wrong-types', body: { ...operation.body, text } };
    }
  }
}

/** A value with another at a place, made where it is not there; undefined: taken out. */
function put(value: unknown, [name, ...rest]: Place, other: unknown): unknown {
  if (name === undefined) return other;
  if (typeof name === 'number') {
    const items = Array.isArray(value) ? value : [];
    return [put(items[0], rest, other), ...items.slice(1)];
  }
  const fields = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  const before = Object.entries(fields).find(([key]) => key === name)?.[1];
  return { ...fields, [name]: put(before, rest, other) };
}

function bodyOf(operation: Operation, body: NonNullable<Operation['body']>): fc.Arbitrary<OddRequest> {
  const base = plain(operation);
  const malformed = fc
    .oneof(
      fc.constantFrom(...MALFORMED),
      fc.nat({ max: Math.max(0, body.text.length - 1) }).map((end) => body.text.slice(0, end)),
    )
    .map(
      (text): OddRequest => ({ ...base, oddity: 'malformed-body', body: { ...body, text: withoutVariables(text) } }),
    );
  // A variable in the place of a number makes it no JSON before it is filled in.
  const value = takesJson(operation) ? jsonOf(body.text) : undefined;
  if (value === undefined) return malformed;
  const odd = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }).filter((each) => !JSON.stringify(each).includes('{{')),
    fc.constantFrom(1e308, -1, 0.1, 2 ** 53, 'x'.repeat(4 * LONGEST)),
    fc.integer({ min: 1, max: 200 }).map((depth) => nested(depth)),
  );
  const typed = fc.tuple(fc.constantFrom(...placesOf(value)), odd).map(([place, other]): OddRequest => {
    const text = JSON.stringify(replaced(value, place, other));
    return { ...base, oddity: 'wrong-types', body: { ...body, text } };
  });
  return fc.oneof(malformed, typed);
}

function contentType(operation: Operation, body: NonNullable<Operation['body']>): fc.Arbitrary<OddRequest> {
  return fc
    .constantFrom(...TYPES)
    .map((type): OddRequest => ({ ...plain(operation), oddity: 'content-type', body: { ...body, contentType: type } }));
}

function parameters(operation: Operation): fc.Arbitrary<OddRequest> {
  const own = Object.keys(operation.query);
  const text = fc.string({ unit: 'grapheme', maxLength: 20 });
  const name = fc.oneof(text, fc.constantFrom('page', 'limit', 'id', ...own));
  const value = fc.oneof(
    text,
    fc.constantFrom('-1', '0', '1e9', 'null', 'true', '[]', "'", '%', '../..', 'x'.repeat(LONGEST)),
  );
  return fc
    .array(fc.tuple(name, value), { minLength: 1, maxLength: 4 })
    .filter((all) => all.every(([each]) => !/key|token|auth/i.test(each)))
    .map((all): OddRequest => ({ ...plain(operation), oddity: 'parameters', parameters: all }));
}

function headers(operation: Operation): fc.Arbitrary<OddRequest> {
  const value = fc.oneof(
    fc.stringMatching(/^[!-~]([ -~]{0,40}[!-~])?$/),
    fc.constantFrom('', ',', 'x'.repeat(LONGEST)),
  );
  return fc
    .uniqueArray(fc.tuple(fc.constantFrom(...HEADERS), value), {
      minLength: 1,
      maxLength: 3,
      selector: ([name]) => name,
    })
    .map((all): OddRequest => ({ ...plain(operation), oddity: 'headers', headers: all }));
}

function plain(operation: Operation): Omit<OddRequest, 'oddity'> {
  const { path, query, body } = operation;
  return { operation, path, query, body, parameters: [], headers: [] };
}

/** The places of a JSON value, itself first. */
function placesOf(value: unknown): readonly Place[] {
  if (typeof value !== 'object' || value === null) return [[]];
  const inner = Array.isArray(value) ? value.map((each, index) => [index, each] as const) : Object.entries(value);
  return [[], ...inner.flatMap(([name, each]) => placesOf(each).map((place) => [name, ...place]))];
}

function replaced(value: unknown, [name, ...rest]: Place, other: unknown): unknown {
  if (name === undefined) return other;
  if (Array.isArray(value)) return value.map((each, index) => (index === name ? replaced(each, rest, other) : each));
  const fields = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return Object.fromEntries(fields.map(([key, each]) => [key, key === name ? replaced(each, rest, other) : each]));
}

function nested(depth: number): unknown {
  return depth === 0 ? null : [nested(depth - 1)];
}

/** What is cut short may end within a variable, which would then be none. */
function withoutVariables(text: string): string {
  return text.replace(/\{\{[^}]*\}?\}?/g, 'x');
}
