import { list, record } from '../../profile/outline.ts';
import { GROUPS, KINDS } from '../../trace/exchange.ts';
import { encodeAround } from '../openapi/path.ts';
import { type Resolve, schemaOf } from '../openapi/schema.ts';
import { unique } from '../openapi/words.ts';
import type { Checked, ProbeFields, Proposal } from '../proposal.ts';
import { absentId } from './identifier.ts';
import type { Draft } from './operations.ts';
import { shownValue, wireParameters } from './parameters.ts';
import { wrongValue } from './wrong-value.ts';

/**
 * One read and one write of each group are enough to show a status, and leave most of the budget of writes to the
 * limits.
 */
export function proposeProbes(all: readonly Draft[], resolve: Resolve): Proposal['probes'] {
  const taken = new Set<string>();
  const named = (name: string): string => unique(name, taken);
  const drafts = all.filter(({ fails }) => !fails);
  return {
    invalid_parameter: oneOfEach(drafts, '400', (draft) => invalid(draft, resolve, named)),
    not_found: oneWrite(
      oneOfEach(drafts, '404', (draft) => missing(draft, resolve, named), ['GET', 'PUT', 'PATCH']),
      drafts,
    ),
    forbidden: oneOfEach(
      drafts.filter(({ fields }) => fields.kind === 'write'),
      '403',
      ({ fields }) => ({
        value: { operation: fields.id, name: named(`${fields.id.slice(0, 48)}-forbidden`) },
        checks: ['Does the restricted key really lack permission for this? It must be allowed to read.'],
      }),
      ['POST', 'PUT', 'PATCH'],
    ),
    internal_failure: all.filter(({ fails }) => fails).flatMap((each) => failing(each, drafts, named)),
  };
}

type Make = (draft: Draft) => Checked<ProbeFields> | null;

/**
 * For each group and kind the first operation that a probe can be made of: first those that promise the status, then
 * those that need no preparation.
 */
function oneOfEach(drafts: readonly Draft[], status: string, make: Make, methods?: readonly string[]) {
  const cost = ({ fields, from }: Draft): number =>
    (from.source.statuses.includes(status) ? 0 : 2) + (fields.prepare ? 1 : 0) + (from.source.deprecated ? 4 : 0);
  const ordered = drafts
    .filter(({ fields }) => methods === undefined || methods.includes(fields.method))
    .toSorted((a, b) => cost(a) - cost(b));
  const places = GROUPS.flatMap((group) => KINDS.map((kind) => ({ group, kind })));
  return places.flatMap(({ group, kind }) => {
    for (const draft of ordered) {
      if (draft.fields.group !== group || draft.fields.kind !== kind) continue;
      const probe = make(draft);
      if (probe) return [probe];
    }
    return [];
  });
}

/** All reads, and the first write only. */
function oneWrite(probes: readonly Checked<ProbeFields>[], drafts: readonly Draft[]) {
  const isWrite = ({ value }: Checked<ProbeFields>) =>
    drafts.some(({ fields }) => fields.id === value.operation && fields.kind === 'write');
  return probes.filter((probe) => !isWrite(probe) || probe === probes.find(isWrite));
}

/** One parameter of the query, or one field of the body, with a value that its schema rules out. */
function invalid(draft: Draft, resolve: Resolve, named: (name: string) => string): Checked<ProbeFields> | null {
  const { fields, body, from } = draft;
  const properties = record(schemaOf(resolve, from.source.body?.schema).properties);
  const candidates = [
    ...wireParameters(from.source, resolve).map(({ name, schema }) => ({ name, schema, place: 'query' as const })),
    ...Object.keys(body?.json ?? {}).map((name) => ({ name, schema: properties[name], place: 'body' as const })),
  ].flatMap(({ name, schema, place }) => {
    const wrong = wrongValue(schemaOf(resolve, schema), place);
    return wrong ? [{ name, place, wrong }] : [];
  });
  const home = fields.kind === 'read' ? 'query' : 'body';
  const rank = ({ place, wrong }: (typeof candidates)[number]): number =>
    (place === home ? 0 : 2) + (wrong.plain ? 0 : 1);
  const [best] = candidates.toSorted((a, b) => rank(a) - rank(b));
  if (!best) return null;
  const check = `${best.wrong.what} for ${best.name.slice(0, 64)}: does the deployment refuse it as invalid?`;
  const name = named(`${fields.id.slice(0, 40)}-${best.name.replace(/[^A-Za-z0-9_.-]+/g, '-').slice(0, 16)}`);
  const value =
    best.place === 'query'
      ? { operation: fields.id, name, query: { [best.name]: String(best.wrong.value) } }
      : { operation: fields.id, name, body: body?.write({ ...body.json, [best.name]: best.wrong.value }) };
  const other = from.source.statuses.includes('422') && !from.source.statuses.includes('400');
  return { value, checks: [check, ...(other ? ['The document says 422 for this, but clause 7 requires 400.'] : [])] };
}

/** The same request for something that does not exist: the path's last parameter is a name that nobody has created. */
function missing(
  { fields, from }: Draft,
  resolve: Resolve,
  named: (name: string) => string,
): Checked<ProbeFields> | null {
  const parameter = [...from.path.matchAll(/\{([^{}]+)\}/g)].at(-1)?.[1];
  // A PUT creates a missing thing if no other operation does.
  if (parameter === undefined || (fields.method === 'PUT' && !fields.prepare)) return null;
  const declared = from.source.parameters.find((each) => each.in === 'path' && each.name === parameter);
  const schema = schemaOf(resolve, declared?.schema);
  if (list(schema.enum).length > 0 || 'const' in schema) return null;
  const shown = shownValue(declared, resolve);
  const absent = absentId(schema, parameter, [...fields.path.split('/'), ...(shown === null ? [] : [shown])]);
  const path = withLastParameter(from.path, fields.path, encodeAround(absent.value));
  if (path === fields.path) return null;
  return {
    value: { operation: fields.id, name: named(`${fields.id.slice(0, 48)}-absent`), path },
    checks: absent.checks,
  };
}

/**
 * An operation that always fails according to the document, as a faulty form of a succeeding operation of the same
 * method.
 */
function failing(
  { fields, checks }: Draft,
  drafts: readonly Draft[],
  named: (name: string) => string,
): readonly Checked<ProbeFields>[] {
  const alike = drafts.filter(({ fields: each }) => each.method === fields.method && each.kind === fields.kind);
  const control = alike.find((each) => !each.fields.prepare && !each.fields.query) ?? alike[0];
  if (!control) return [];
  const gone = Object.fromEntries(Object.keys(control.fields.query ?? {}).map((name) => [name, null]));
  const query = { ...gone, ...fields.query };
  return [
    {
      value: {
        operation: control.fields.id,
        name: named(fields.id),
        path: fields.path,
        ...(Object.keys(query).length > 0 ? { query } : {}),
        ...(fields.body === undefined ? {} : { body: fields.body }),
      },
      checks,
    },
  ];
}

/** The filled path with another value for its last parameter. The value of a parameter has no slash. */
function withLastParameter(path: string, filled: string, value: string): string {
  const segments = path.split('/');
  const index = segments.findLastIndex((segment) => segment.includes('{'));
  const changed = (segments[index] ?? '').replace(/\{[^{}]+\}/g, () => value);
  return filled.split('/').with(index, changed).join('/');
}
