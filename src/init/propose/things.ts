import { record } from '../../profile/outline.ts';
import { type ApiContent, isWritable } from '../openapi/operations.ts';
import { type Resolve, schemaOf, typeOf } from '../openapi/schema.ts';
import type { CaptureFields, Checked } from '../proposal.ts';
import type { Identified } from './identify.ts';

/** Something that one operation makes and others need. */
export interface Thing {
  readonly create: Identified;
  /** What `{{variable}}` holds once it is made. */
  readonly variable: string;
  readonly capture: Checked<CaptureFields>;
  /** The identifier's type in the answer; null where the document does not say. */
  readonly type: string | null;
}

/** Things by the collection that they are made in, its parameters without their names: `/categories/{}/labels`. */
export type Things = ReadonlyMap<string, Thing>;

/** Finds what can be made: a POST on a collection of which single things have paths, `/labels` beside `/labels/{id}`. */
export function findThings(operations: readonly Identified[], resolve: Resolve): Things {
  const parameters = new Map<string, string>();
  for (const { path } of operations) {
    for (const { collection, name } of parametersIn(path))
      if (!parameters.has(collection)) parameters.set(collection, name);
  }
  const things = new Map<string, Thing>();
  const taken = new Set<string>();
  for (const create of operations) {
    const collection = anonymous(create.path);
    const parameter = parameters.get(collection);
    if (create.source.method !== 'POST' || create.kind !== 'write' || parameter === undefined) continue;
    if (things.has(collection) || (create.source.body?.required && !isWritable(create.source.body))) continue;
    const noun = singular(collection.split('/').findLast((segment) => segment !== '' && segment !== '{}') ?? 'thing');
    const variable = free(variableName(noun), taken);
    const { pointer, type } = identifierIn(create.source.answer, [parameter, 'id', `${noun}_id`], noun, resolve);
    const capture = captureOf(pointer, create.source.answerHeaders);
    things.set(collection, { create, variable, capture, type });
  }
  return things;
}

/** The parameters of a path that are whole segments, each with the collection that it picks from. */
export function parametersIn(path: string): readonly { readonly collection: string; readonly name: string }[] {
  const segments = path.split('/');
  return segments.flatMap((segment, index) => {
    const name = /^\{([^{}]+)\}$/.exec(segment)?.[1];
    return name === undefined ? [] : [{ collection: anonymous(segments.slice(0, index).join('/')), name }];
  });
}

/** Without case and separators: `categoryId` and `category_id` are the same. */
export function plainName(name: string): string {
  return name.replace(/[^A-Za-z0-9]/g, '').toLowerCase();
}

function anonymous(path: string): string {
  return path.replace(/\{[^{}]*\}/g, '{}').replace(/\/$/, '');
}

function variableName(noun: string): string {
  const snake = noun
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();
  return `${/^[a-z_]/.test(snake) ? snake : `thing_${snake}`}_id`;
}

function free(name: string, taken: Set<string>): string {
  let candidate = name;
  for (let number = 2; taken.has(candidate); number += 1) candidate = `${name}_${number}`;
  taken.add(candidate);
  return candidate;
}

const IDENTIFIERS = ['uuid', 'key', 'slug', 'code'];
const WRAPPERS = ['data', 'result', 'item', 'attributes'];

/** Where in the answer the identifier stands: by schema, else by example; one level of wrapping is looked through. */
function identifierIn(
  answer: ApiContent | null,
  likely: readonly string[],
  noun: string,
  resolve: Resolve,
): { readonly pointer: string | null; readonly type: string | null } {
  const names = [...likely, ...IDENTIFIERS].map(plainName);
  const wrappers = [...WRAPPERS, noun].map(plainName);
  const properties = record(schemaOf(resolve, answer?.schema).properties);
  const shown = record(answer?.example);
  const find = (schemas: object, examples: object): string | undefined => {
    const keys = [...Object.keys(schemas), ...Object.keys(examples)].filter(isTame);
    return names.flatMap((name) => keys.find((key) => plainName(key) === name) ?? [])[0];
  };
  const own = find(properties, shown);
  if (own !== undefined) return { pointer: `/${own}`, type: typeOf(schemaOf(resolve, properties[own])) };
  for (const key of [...Object.keys(properties), ...Object.keys(shown)].filter(isTame)) {
    if (!wrappers.includes(plainName(key))) continue;
    const inner = record(schemaOf(resolve, properties[key]).properties);
    const found = find(inner, record(shown[key]));
    if (found !== undefined) return { pointer: `/${key}/${found}`, type: typeOf(schemaOf(resolve, inner[found])) };
  }
  return { pointer: null, type: null };
}

/** A name that means itself in a JSON Pointer. */
function isTame(key: string): boolean {
  return /^[A-Za-z0-9_.-]{1,64}$/.test(key);
}

function captureOf(pointer: string | null, headers: readonly string[]): Checked<CaptureFields> {
  if (pointer !== null) return { value: pointer, checks: [] };
  if (headers.includes('location')) return { value: { header: 'Location', pattern: '([^/?]+)/?$' }, checks: [] };
  const check = 'The document does not show where in the answer the identifier stands: correct capture.';
  return { value: '/id', checks: [check] };
}

function singular(noun: string): string {
  return noun.replace(/ies$/i, 'y').replace(/([^s])s$/i, '$1');
}
