import type { LoadSpec, LoadTemplate } from './load-spec.ts';

type Headers = Readonly<Record<string, string>>;

/**
 * The values of the profile's headers: of all requests, and of those of an operation by its ID. They may be secret, so
 * they reach k6 only by its environment, and no specification, record or archive has them.
 */
export interface LoadHeaders {
  readonly all: Headers;
  readonly operations: Readonly<Record<string, Headers>>;
}

/** Stands for a value in whatever is written. */
const HIDDEN = '…';

/** The same headers without their values. */
export function hiddenHeaders(headers: Headers): Headers {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, HIDDEN]));
}

/** The names of all headers, with `…` for their values. */
export function withoutValues({ all, operations }: LoadHeaders): LoadHeaders {
  const own = Object.entries(operations).map(([id, headers]) => [id, hiddenHeaders(headers)] as const);
  return { all: hiddenHeaders(all), operations: Object.fromEntries(own) };
}

/** The headers of the operations that a run sends, from the profile. */
export function loadHeaders(
  { reads, writes }: Pick<LoadSpec, 'reads' | 'writes'>,
  { http, operations }: { http: { headers: Headers }; operations: readonly { id: string; headers: Headers }[] },
): LoadHeaders {
  const sent = new Set([...reads, ...writes].map(({ operation }) => operation));
  const own = operations.filter(({ id, headers }) => sent.has(id) && Object.keys(headers).length > 0);
  return { all: http.headers, operations: Object.fromEntries(own.map(({ id, headers }) => [id, headers])) };
}

/** The specification with the values that its headers are sent with. It must not be written anywhere. */
export function withHeaders(spec: LoadSpec, { operations }: LoadHeaders): LoadSpec {
  const filled = (template: LoadTemplate): LoadTemplate => {
    return { ...template, headers: { ...template.headers, ...operations[template.operation] } };
  };
  return { ...spec, reads: spec.reads.map(filled), writes: spec.writes.map(filled) };
}

/** The names of headers that have no value yet. */
export function headersWithoutValue({ reads, writes }: LoadSpec, { all }: LoadHeaders): readonly string[] {
  const sets = [all, ...[...reads, ...writes].map(({ headers }) => headers)];
  return sets.flatMap((headers) => Object.keys(headers).filter((name) => headers[name] === HIDDEN));
}
