import { type ApiOperation, isWritable } from '../openapi/operations.ts';
import { nameless, parametersIn } from '../openapi/path.ts';
import { type Resolve, schemaOf } from '../openapi/schema.ts';
import type { CaptureFields, Checked, OperationFields } from '../proposal.ts';
import { type ProposedBody, proposeBody } from './body.ts';
import { idToPut } from './identifier.ts';
import type { Identified } from './identify.ts';
import { neededHeaders, shownValue, wireParameters } from './parameters.ts';
import { findThings, type Thing, type Things } from './things.ts';

/** A proposed operation with its source, from which probes are made. */
export interface Draft {
  readonly from: Identified;
  readonly fields: OperationFields;
  readonly checks: readonly string[];
  readonly body: ProposedBody | null;
  /** The document promises only 5xx: not an operation, but a way to provoke a failure. */
  readonly fails: boolean;
}

/**
 * Makes a request that should succeed for each operation. If it needs something to exist, the operation that creates
 * this prepares it.
 *
 * @param leaveOut is called for each operation for which no request would surely find what it needs
 */
export function proposeOperations(
  operations: readonly Identified[],
  resolve: Resolve,
  leaveOut: (operation: ApiOperation, why: string) => void,
): readonly Draft[] {
  const things = findThings(operations, resolve);
  const needs: Needs = new Map(operations.map((each) => [each, thingsOfPath(each.path, things)]));
  const putters = operations.filter((each) => isPutter(each, things));
  const context = { resolve, things, needs, putters };
  const drafts = operations.flatMap((operation) => {
    const made = draft(operation, context);
    if (!('why' in made)) return [made];
    leaveOut(operation.source, made.why);
    return [];
  });
  return drafts.map((each) => withCleanup(each, drafts, context));
}

type Needs = Map<Identified, readonly Thing[]>;

interface Context {
  readonly resolve: Resolve;
  readonly things: Things;
  readonly needs: Needs;
  /** Operations that create a thing at a path that the client chooses. */
  readonly putters: readonly Identified[];
}

/** PUT on a single thing that no POST creates: it creates a missing thing. */
function isPutter({ source, path }: Identified, things: Things): boolean {
  const last = parametersIn(path).at(-1);
  return source.method === 'PUT' && namesOne(path) && last !== undefined && !things.has(last.collection);
}

/** Whether a path leads to a single thing. */
function namesOne(path: string): boolean {
  return nameless(path).endsWith('}');
}

function draft(from: Identified, context: Context): Draft | { readonly why: string } {
  const { resolve, things, needs } = context;
  const { source, id, group, kind } = from;
  const writable = source.body !== null && isWritable(source.body);
  if (source.body?.required && !writable)
    return { why: `needs a body of type ${source.body.contentType.slice(0, 80)}, which init cannot write` };
  if (source.method === 'DELETE' && !namesOne(from.path))
    return { why: 'removes something that no other operation creates' };
  const path = fillPath(from, context);
  if ('why' in path) return path;
  const linkable = [...new Set(things.values())].filter(
    ({ create }) => create !== from && !requires(create, from, needs),
  );
  const proposed =
    source.body && writable ? proposeBody(source.body, resolve, { unique: kind === 'write', linkable }) : null;
  const body = proposed?.value ?? null;
  const used = [...new Set([...thingsOfPath(from.path, things), ...(body?.things ?? [])])];
  needs.set(from, used);
  const own = [...things.values()].find(({ create }) => create === from);
  const query = Object.fromEntries(
    wireParameters(source, resolve).flatMap((each) => (each.required ? [[each.name, each.value()]] : [])),
  );
  const headers = {
    ...(body?.contentType ? { 'Content-Type': body.contentType } : {}),
    ...neededHeaders(source, resolve),
  };
  const prepare = used
    .filter((thing) => !used.some((other) => other !== thing && requires(other.create, thing.create, needs)))
    .map(({ create }) => create.id);
  return {
    from,
    body,
    fails: source.statuses.length > 0 && source.statuses.every((status) => status.startsWith('5')),
    fields: {
      id,
      group,
      kind,
      method: source.method,
      path: path.filled,
      ...(Object.keys(query).length > 0 ? { query } : {}),
      ...(Object.keys(headers).length > 0 ? { headers } : {}),
      ...(body === null ? {} : { body: body.field }),
      ...(prepare.length + path.prepare.length > 0 ? { prepare: [...new Set([...prepare, ...path.prepare])] } : {}),
      ...(own ? { capture: { [own.variable]: own.capture.value } satisfies Record<string, CaptureFields> } : {}),
    },
    checks: [
      ...from.checks,
      ...path.checks,
      ...(proposed?.checks ?? []),
      ...(own?.capture.checks ?? []),
      ...statusChecks(source),
    ],
  };
}

/**
 * Adds to an operation that creates something the operation that removes it, if that needs nothing else: for a PUT, the
 * DELETE of the same path.
 */
function withCleanup(made: Draft, all: readonly Draft[], { things, needs, putters }: Context): Draft {
  const { from: maker } = made;
  const own = [...things.values()].find(({ create }) => create === maker);
  const known = new Set([own, ...(needs.get(maker) ?? [])]);
  const undoesPut = ({ path }: Identified): boolean =>
    putters.includes(maker) && nameless(path) === nameless(maker.path);
  const removes = (from: Identified): boolean => {
    const used = needs.get(from) ?? [];
    const isOwn = own !== undefined && used.at(-1) === own && used.every((each) => known.has(each));
    return isOwn && parametersIn(from.path).length === used.length;
  };
  const removals = all.filter(({ from }) => from.source.method === 'DELETE');
  const removal = removals.find(({ from }) => undoesPut(from)) ?? removals.find(({ from }) => removes(from));
  return removal ? { ...made, fields: { ...made.fields, cleanup: [removal.from.id] } } : made;
}

/** Whether an operation is run, directly or through others, before the other one. */
function requires(operation: Identified, other: Identified, needs: Needs, seen = new Set<Identified>()): boolean {
  if (seen.has(operation)) return false;
  seen.add(operation);
  return (needs.get(operation) ?? []).some(({ create }) => create === other || requires(create, other, needs, seen));
}

function thingsOfPath(path: string, things: Things): readonly Thing[] {
  return parametersIn(path).flatMap(({ collection }) => things.get(collection) ?? []);
}

/**
 * The path with each parameter filled in: with a prepared thing, with the name that a PUT uses, or with the document's
 * example.
 */
function fillPath(
  from: Identified,
  { things, putters, resolve }: Context,
):
  | { readonly filled: string; readonly prepare: readonly string[]; readonly checks: readonly string[] }
  | { readonly why: string } {
  const { path, source } = from;
  const made = new Map(parametersIn(path).map(({ collection, name }) => [name, things.get(collection)]));
  const putter = putters.find((each) => `${nameless(path)}/`.startsWith(`${nameless(each.path)}/`));
  const put = putter && parametersIn(putter.path).at(-1)?.name;
  const own = putter && idOfPut(putter, resolve);
  let lacking: string | null = null;
  const filled = path.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const thing = made.get(name);
    if (thing) return `{{${thing.variable}}}`;
    if (own && name === put) return encodeURIComponent(own.value);
    const parameter = source.parameters.find((each) => each.in === 'path' && each.name === name);
    const shown = shownValue(parameter, resolve);
    if (shown === null || shown === '{{uuid}}' || source.method === 'DELETE') lacking ??= name;
    return encodeURIComponent(shown ?? '');
  });
  if (lacking !== null)
    return { why: `needs ${String(lacking).slice(0, 64)}, which no operation creates and no example shows` };
  if (putter && putter !== from) return { filled, prepare: [putter.id], checks: [] };
  return { filled, prepare: [], checks: own?.checks ?? [] };
}

/** The identifier of what a PUT creates. */
function idOfPut({ path, source }: Identified, resolve: Resolve): Checked<string> {
  const name = parametersIn(path).at(-1)?.name ?? '';
  const parameter = source.parameters.find((each) => each.in === 'path' && each.name === name);
  return idToPut(schemaOf(resolve, parameter?.schema), name, shownValue(parameter, resolve));
}

/** Statuses that the document promises but clause 7 does not allow. */
function statusChecks({ statuses }: ApiOperation): readonly string[] {
  const successes = statuses.filter((status) => /^2(\d\d|XX)$/i.test(status));
  const strange = statuses.filter(
    (status) => /^\d{3}$/.test(status) && !/^(2\d\d|400|401|403|404|429|500)$/.test(status),
  );
  return [
    ...(successes.length > 0 && !successes.some((status) => /^2(00|XX)$/i.test(status))
      ? [`The document promises ${successes.join(', ')}, but success must be 200 (clause 7, STATUS-200).`]
      : []),
    ...(strange.length > 0
      ? [`The document lists ${strange.join(', ')}, which clause 7 does not allow (STATUS-SET).`]
      : []),
  ];
}
