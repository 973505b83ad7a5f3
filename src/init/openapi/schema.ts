import { child, pointerTokens } from '../../profile/capture.ts';
import { list, record, text } from '../../profile/outline.ts';
import type { Fields } from './document.ts';

/** After this many references in a row, the reference counts as circular. */
const MAX_HOPS = 20;
/** Maximum number of parts that one schema may consist of. */
const MAX_PARTS = 50;

/**
 * Follows references within a document. It resolves a reference only when needed, so a document with circular or
 * repeated references costs no more than what is used.
 */
export type Resolve = (node: unknown) => Fields;

/** @returns a function that gives the object that a node is or refers to; an empty object if there is none */
export function resolver(root: Fields): Resolve {
  return (node) => {
    let found = record(node);
    for (let hop = 0; hop < MAX_HOPS; hop += 1) {
      const reference = text(found.$ref);
      if (reference === null) return found;
      found = record(lookUp(root, reference));
    }
    return {};
  };
}

/**
 * The keywords of a schema as one object: parts of `allOf` are laid over each other, and of `oneOf` and `anyOf` the
 * first part that is not null is taken. Circular parts, and those beyond a bound that no honest schema reaches, are
 * left out.
 */
export function schemaOf(resolve: Resolve, node: unknown, seen: Set<unknown> = new Set()): Fields {
  const own = resolve(node);
  const choices = [...list(own.oneOf), ...list(own.anyOf)];
  const chosen = choices.find((each) => !typesOf(resolve(each)).includes('null'));
  const parts = [...list(own.allOf), ...(chosen === undefined ? [] : [chosen])];
  return parts.reduce<Fields>((merged, part) => {
    const identity = text(record(part).$ref) ?? part;
    if (seen.has(identity) || seen.size >= MAX_PARTS) return merged;
    seen.add(identity);
    return together(merged, schemaOf(resolve, part, seen));
  }, own);
}

/** A schema, and which others a value must fit where it fits that one, and where it does not. */
export interface Condition {
  readonly test: unknown;
  readonly met: unknown;
  readonly unmet: unknown;
}

/** The conditions of a schema and of the parts that apply with it. */
export function conditionsOf(resolve: Resolve, node: unknown, seen: Set<unknown> = new Set()): readonly Condition[] {
  const own = resolve(node);
  if (seen.has(own) || seen.size >= MAX_PARTS) return [];
  seen.add(own);
  return [
    ...('if' in own ? [{ test: own.if, met: own.then, unmet: own.else }] : []),
    ...list(own.allOf).flatMap((part) => conditionsOf(resolve, part, seen)),
  ];
}

/** The types that a schema names or implies by its keywords, without `null`; none if it accepts anything. */
export function typesOf(schema: Fields): readonly string[] {
  const named = typeof schema.type === 'string' ? [schema.type] : list(schema.type).filter((each) => text(each));
  if (named.length > 0) return named.map(String);
  if (['properties', 'additionalProperties', 'patternProperties'].some((each) => each in schema)) return ['object'];
  return 'items' in schema || 'prefixItems' in schema ? ['array'] : [];
}

/** The single type of a schema's values; null if it accepts several types, or anything. */
export function typeOf(schema: Fields): string | null {
  const [type, ...others] = typesOf(schema).filter((each) => each !== 'null');
  return others.length === 0 ? (type ?? null) : null;
}

/** Whether all values of a schema are numbers. */
export function isNumeric(schema: Fields): boolean {
  return /^(integer|number)$/.test(typeOf(schema) ?? '');
}

/** A bound of a schema, if it is a number; null: none. */
export function bound(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** The keywords of two schemas that both apply. A property of both has both its schemas. */
export function together(base: Fields, over: Fields): Fields {
  const properties = { ...record(base.properties) };
  for (const [name, node] of Object.entries(record(over.properties))) {
    properties[name] = name in properties ? { allOf: [properties[name], node] } : node;
  }
  const required = [...list(base.required), ...list(over.required)];
  return {
    ...base,
    ...over,
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
  };
}

/** RFC 6901 in a URI fragment. */
function lookUp(root: Fields, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined;
  return pointerTokens(decoded(reference.slice(1)))?.reduce(child, root);
}

function decoded(pointer: string): string {
  try {
    return decodeURIComponent(pointer);
  } catch {
    return pointer;
  }
}
