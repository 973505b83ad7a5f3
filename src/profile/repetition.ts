import type { Operation } from './profile.ts';
import { GENERATED, variablesIn } from './template.ts';

/** Methods that change nothing by their meaning (RFC 9110, 9.2.1), and QUERY, which is defined as one of them. */
const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'QUERY', 'TRACE']);

/**
 * What tells whether an operation may be repeated: its request, and what the profile says to run before and after it.
 */
export type Repeated = Pick<
  Operation,
  'kind' | 'method' | 'path' | 'query' | 'headers' | 'body' | 'prepare' | 'cleanup'
>;

/** Whether a request may change what others meet: all writes, and what is a change by its method. */
export function changes({ kind, method }: Pick<Operation, 'kind' | 'method'>): boolean {
  return !SAFE.has(method) && (kind === 'write' || method === 'PUT' || method === 'PATCH' || method === 'DELETE');
}

/**
 * Whether one success may leave nothing for the next request to the same thing: a deletion does, and so may a change
 * that needs a preparation, unless its method is idempotent (RFC 9110, 9.2.2). What needs no preparation succeeds as
 * often as it is sent: the profile says so. A deletion does that only if it names another thing each time.
 */
export function usesUp(operation: Pick<Operation, 'kind' | 'method' | 'path' | 'prepare'>): boolean {
  const { method, path, prepare } = operation;
  if (method === 'DELETE') return prepare.length > 0 || !isGenerated([path]);
  return changes(operation) && method !== 'PUT' && prepare.length > 0;
}

/**
 * Whether what was made is removed at once, and not at the end of the run: each sending makes the same thing, which a
 * second one might find in its way.
 */
export function clearsAtOnce(operation: Repeated): boolean {
  const { method, cleanup } = operation;
  return cleanup.length > 0 && changes(operation) && method !== 'PUT' && method !== 'DELETE' && isConstant(operation);
}

/** Whether nothing in the request is new at each sending. */
function isConstant({ path, query, headers, body }: Repeated): boolean {
  return !isGenerated([path, ...Object.values(query), ...Object.values(headers), body?.text ?? '']);
}

/** Whether a part of these texts is generated at each sending. */
function isGenerated(texts: readonly string[]): boolean {
  return texts.some((text) => variablesIn(text).some((name) => GENERATED.some((each) => each === name)));
}

/**
 * Operations of a kind that can be sent many times at once, best first: those that need no preparation and leave
 * nothing in the way of the next. A deletion is none if it needs a thing of its own.
 */
export function repeatable<Each extends Repeated>(
  operations: readonly Each[],
  kind: Operation['kind'],
): readonly Each[] {
  const rank = (each: Each): number =>
    (each.prepare.length > 0 ? 2 : 0) + (usesUp(each) ? 2 : 0) + (clearsAtOnce(each) ? 1 : 0);
  return operations
    .filter((each) => each.kind === kind && !(each.method === 'DELETE' && usesUp(each)))
    .toSorted((one, other) => rank(one) - rank(other));
}

/** A body that is no JSON. */
export const MALFORMED_JSON = '{"';

export function takesJson({ body }: Pick<Operation, 'body'>): boolean {
  return body !== null && /[/+]json\s*(;|$)/i.test(body.contentType);
}
