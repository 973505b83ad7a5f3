import { record } from '../../profile/outline.ts';
import { type ApiContent, isWritable } from '../openapi/operations.ts';
import { nameless, parametersIn, words } from '../openapi/path.ts';
import { isNumeric, type Resolve, schemaOf, typeOf } from '../openapi/schema.ts';
import { kebab, singular, unique } from '../openapi/words.ts';
import type { CaptureFields, Checked } from '../proposal.ts';
import type { Identified } from './identify.ts';

/** Something that one operation creates and others need. */
export interface Thing {
  readonly create: Identified;
  /** The variable for its identifier once it is created. */
  readonly variable: string;
  /** Names of fields that refer to it, without case and separators. */
  readonly names: readonly string[];
  /** The word for one of them: `category`. */
  readonly noun: string;
  readonly capture: Checked<CaptureFields>;
  /**
   * The identifier's schema in paths. It distinguishes a field `category` that refers to a thing from a field that only
   * has this name.
   */
  readonly identifier: unknown;
}

/** Things by the collection that they are picked from, its parameters without their names: `/categories/{}/labels`. */
export type Things = ReadonlyMap<string, Thing>;

/**
 * Finds the things that can be created: by a POST on a collection whose things have paths, such as `/labels` and
 * `/labels/{id}`. If a collection has no POST, one on a collection of the same name within another is used:
 * `/categories/{id}/labels`.
 */
export function findThings(operations: readonly Identified[], resolve: Resolve): Things {
  const things = new Map<string, Thing>();
  const made = new Map<Identified, Thing>();
  const taken = new Set<string>();
  const creators = operations.filter(
    ({ source, kind }) =>
      source.method === 'POST' && kind === 'write' && !(source.body?.required && !isWritable(source.body)),
  );
  for (const { path, source } of operations) {
    for (const { collection, name } of parametersIn(path)) {
      const create =
        creators.find((each) => nameless(each.path) === collection) ??
        creators.find((each) => lastWord(each.path) === lastWord(collection) && !each.path.endsWith('}'));
      if (!create || things.has(collection)) continue;
      const parameter = source.parameters.find((each) => each.in === 'path' && each.name === name);
      const thing = made.get(create) ?? thingOf(create, name, parameter?.schema, taken, resolve);
      made.set(create, thing);
      things.set(collection, thing);
    }
  }
  return things;
}

function thingOf(
  create: Identified,
  parameter: string,
  identifier: unknown,
  taken: Set<string>,
  resolve: Resolve,
): Thing {
  const noun = singular(lastWord(create.path) || 'thing');
  const variable = unique(variableName(noun), taken, '_');
  const place = placeIn(create.source.answer, parameter, noun, resolve);
  const names = [variable, `${noun}${parameter}`, ...IDENTIFIERS.map((each) => noun + each)].map(plainName);
  return { create, variable, noun, names, identifier, capture: captureOf(place, create.source.answerHeaders) };
}

/**
 * Whether a field of a body refers to a thing: by a name such as `category_id`, or as `category` if it has the
 * identifier's type.
 */
export function refersTo(
  { names, noun, identifier }: Thing,
  field: string,
  schema: unknown,
  resolve: Resolve,
): boolean {
  if (names.includes(plainName(field))) return true;
  const [own, its] = [schemaOf(resolve, schema), schemaOf(resolve, identifier)];
  const telling = isNumeric(its) || its.format === 'uuid';
  return plainName(field) === plainName(noun) && telling && typeOf(own) === typeOf(its);
}

/** Without case and separators: `categoryId` and `category_id` are the same. */
function plainName(name: string): string {
  return name.replace(/[^A-Za-z0-9]/g, '').toLowerCase();
}

function lastWord(path: string): string {
  return words(path).at(-1) ?? '';
}

function variableName(noun: string): string {
  const snake = kebab(noun).replaceAll('-', '_');
  return `${/^[a-z_]/.test(snake) ? snake : `thing_${snake}`}_id`;
}

const IDENTIFIERS = ['uuid', 'key', 'slug', 'code'];
const WRAPPERS = ['data', 'result', 'item', 'attributes'];

/** A place of the identifier in an answer, as a JSON Pointer; `unclear` if another one is as likely. */
interface Place {
  readonly pointer: string;
  readonly unclear: boolean;
}

/**
 * The place of the identifier in the answer: by schema, else by example; it also searches one level of wrapping. What
 * is called an id comes first, at the top and then inside; of a `code` beside the wrapper and one in it, the one in it:
 * beside, it may be the answer's own.
 */
function placeIn(answer: ApiContent | null, parameter: string, noun: string, resolve: Resolve): Place | null {
  const find = (fields: readonly string[], names: readonly string[]): string | undefined =>
    names.flatMap((name) => fields.find((field) => plainName(field) === plainName(name)) ?? [])[0];
  const ids = [...(IDENTIFIERS.includes(plainName(parameter)) ? [] : [parameter]), 'id', `${noun}_id`];
  const likely = [parameter, ...ids, ...IDENTIFIERS];
  const top = fieldsOf(answer?.schema, answer?.example, resolve);
  const names = [...top.keys()];
  const id = find(names, ids);
  if (id !== undefined) return { pointer: `/${id}`, unclear: false };
  const beside = find(names, likely);
  const wrapper = find(names, [...WRAPPERS, noun]);
  const within =
    wrapper === undefined ? [] : [...fieldsOf(top.get(wrapper), shownIn(answer, wrapper, resolve), resolve).keys()];
  const inner = find(within, likely);
  if (inner !== undefined) {
    const unclear = beside !== undefined && find(within, ids) === undefined;
    return { pointer: `/${wrapper}/${inner}`, unclear };
  }
  return beside === undefined ? null : { pointer: `/${beside}`, unclear: wrapper !== undefined };
}

/** What the example of an answer has in its wrapper. */
function shownIn(answer: ApiContent | null, wrapper: string, resolve: Resolve): unknown {
  return record(answer?.example ?? schemaOf(resolve, answer?.schema).example)[wrapper];
}

/**
 * The fields of an object by its schema and its example, each with its schema: only those whose names need no escape in
 * a JSON Pointer.
 */
function fieldsOf(schema: unknown, example: unknown, resolve: Resolve): ReadonlyMap<string, unknown> {
  const described = schemaOf(resolve, schema);
  const shown = Object.keys(record(example ?? described.example)).map((name) => [name, undefined] as const);
  const all = [...shown, ...Object.entries(record(described.properties))];
  return new Map(all.filter(([name]) => /^[A-Za-z0-9_.-]{1,64}$/.test(name)));
}

function captureOf(place: Place | null, headers: readonly string[]): Checked<CaptureFields> {
  if (place !== null) {
    const check = `Is ${place.pointer} in the answer really the identifier? Several fields may be: correct capture if not.`;
    return { value: place.pointer, checks: place.unclear ? [check] : [] };
  }
  if (headers.includes('location')) return { value: { header: 'Location', pattern: '([^/?]+)/?$' }, checks: [] };
  const check = 'The document does not show where the answer contains the identifier: correct capture.';
  return { value: '/id', checks: [check] };
}
