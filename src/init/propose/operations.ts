import { exampleOf } from '../openapi/example.ts';
import { type ApiOperation, type ApiParameter, isWritable } from '../openapi/operations.ts';
import { type Resolve, schemaOf, typeOf } from '../openapi/schema.ts';
import type { CaptureFields, OperationFields } from '../proposal.ts';
import { type ProposedBody, proposeBody } from './body.ts';
import type { Identified } from './identify.ts';
import { findThings, parametersIn, type Thing, type Things } from './things.ts';

/** A proposed operation with what it came from, for probes to be made of. */
export interface Draft {
  readonly from: Identified;
  readonly fields: OperationFields;
  readonly checks: readonly string[];
  readonly body: ProposedBody | null;
}

/** Makes a request that should succeed out of each operation; what needs something to exist is prepared by what makes it. */
export function proposeOperations(
  operations: readonly Identified[],
  resolve: Resolve,
): { readonly drafts: readonly Draft[]; readonly checks: readonly string[] } {
  const things = findThings(operations, resolve);
  const needs = new Map<Identified, readonly Thing[]>(
    operations.map((operation) => [operation, thingsOfPath(operation.path, things)]),
  );
  const drafts: Draft[] = [];
  const left: string[] = [];
  for (const operation of operations) {
    const made = draft(operation, resolve, things, needs);
    if ('left' in made)
      left.push(`Left out: ${operation.source.method} ${operation.source.path} ${made.left}; write it by hand.`);
    else drafts.push(made);
  }
  return { drafts: drafts.map((each) => withCleanup(each, drafts, things, needs)), checks: left };
}

type Needs = Map<Identified, readonly Thing[]>;

function draft(from: Identified, resolve: Resolve, things: Things, needs: Needs): Draft | { readonly left: string } {
  const { source, id, group, kind } = from;
  const path = fillPath(from, resolve, things);
  const linkable = [...things.values()].filter(({ create }) => create !== from && !requires(create, from, needs));
  const writable = source.body !== null && isWritable(source.body);
  if (source.body?.required && !writable) return { left: `takes ${source.body.contentType.slice(0, 80)}` };
  const proposed =
    source.body && writable ? proposeBody(source.body, resolve, { unique: kind === 'write', linkable }) : null;
  const body = proposed?.value ?? null;
  const used = [...new Set([...thingsOfPath(from.path, things), ...(body?.things ?? [])])];
  needs.set(from, used);
  const own = [...things.values()].find(({ create }) => create === from);
  const query = queryOf(source, resolve);
  const headers = headersOf(source, resolve, body);
  const prepare = used
    .filter((thing) => !used.some((other) => other !== thing && requires(other.create, thing.create, needs)))
    .map(({ create }) => create.id);
  return {
    from,
    body,
    fields: {
      id,
      group,
      kind,
      method: source.method,
      path: path.filled,
      ...(Object.keys(query).length > 0 ? { query } : {}),
      ...(Object.keys(headers).length > 0 ? { headers } : {}),
      ...(body === null ? {} : { body: body.field }),
      ...(prepare.length > 0 ? { prepare } : {}),
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

/** What makes something is followed by what removes it, where nothing else is needed for that. */
function withCleanup(made: Draft, all: readonly Draft[], things: Things, needs: Needs): Draft {
  const own = [...things.values()].find(({ create }) => create === made.from);
  if (!own) return made;
  const known = new Set([own, ...(needs.get(made.from) ?? [])]);
  const removal = all.find(({ from }) => {
    if (from.source.method !== 'DELETE') return false;
    const used = needs.get(from) ?? [];
    return (
      parametersIn(from.path).length === used.length && used.at(-1) === own && used.every((each) => known.has(each))
    );
  });
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

function fillPath({ path, source }: Identified, resolve: Resolve, things: Things) {
  const checks: string[] = [];
  const made = new Map(parametersIn(path).map(({ collection, name }) => [name, things.get(collection)]));
  const filled = path.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const thing = made.get(name);
    if (thing) return `{{${thing.variable}}}`;
    const parameter = source.parameters.find((each) => each.in === 'path' && each.name === name);
    const value = existing(parameter, resolve);
    checks.push(
      `Nothing makes the ${name.slice(0, 64)} of the path: write one of something that exists in place of ${value}.`,
    );
    return encodeURIComponent(value);
  });
  return { filled, checks };
}

function existing(parameter: ApiParameter | undefined, resolve: Resolve): string {
  if (!parameter) return '1';
  const schema = schemaOf(resolve, parameter.schema);
  const value = exampleOf(resolve, parameter, { unique: false });
  if (value === '{{uuid}}') return '00000000-0000-4000-8000-000000000000';
  return scalar(value) || (typeOf(schema) === 'string' ? 'example' : '1');
}

const KEY_PARAMETER = /^(x[-_]?)?(api[-_]?key|access[-_]?token)$/i;
/** Of the client, of the key, or of the body. */
const OTHERS_HEADER = /^(accept|authorization|content-type|content-length|host|cookie|x-api-key)$/i;

function queryOf({ parameters }: ApiOperation, resolve: Resolve): Record<string, string> {
  const needed = parameters.filter((each) => each.in === 'query' && each.required && !KEY_PARAMETER.test(each.name));
  return Object.fromEntries(needed.map((each) => [each.name, scalar(exampleOf(resolve, each, { unique: false }))]));
}

function headersOf({ parameters }: ApiOperation, resolve: Resolve, body: ProposedBody | null): Record<string, string> {
  const needed = parameters.filter((each) => each.in === 'header' && each.required && !OTHERS_HEADER.test(each.name));
  return {
    ...(body?.contentType ? { 'Content-Type': body.contentType } : {}),
    ...Object.fromEntries(needed.map((each) => [each.name, scalar(exampleOf(resolve, each, { unique: true }))])),
  };
}

function scalar(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Object.values(value).map(scalar).join(',');
  return String(value);
}

/** What the document promises and clause 7 does not have. */
function statusChecks({ statuses, open }: ApiOperation): readonly string[] {
  const successes = statuses.filter((status) => /^2(\d\d|XX)$/i.test(status));
  const strange = statuses.filter(
    (status) => /^\d{3}$/.test(status) && !/^(2\d\d|400|401|403|404|429|500)$/.test(status),
  );
  return [
    ...(successes.length > 0 && !successes.some((status) => /^2(00|XX)$/i.test(status))
      ? [`The document promises ${successes.join(', ')}; clause 7 has 200 alone for success (STATUS-200).`]
      : []),
    ...(strange.length > 0
      ? [`The document names ${strange.join(', ')}, which clause 7 does not have (STATUS-SET).`]
      : []),
    ...(open ? ['The document says that it takes no key; clause 5.1 asks for one with every request (AUTH-1).'] : []),
  ];
}
