import { runInNewContext } from 'node:vm';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { list, record, text } from '../../profile/outline.ts';
import type { Fields } from './document.ts';
import { typicalOf } from './matching-string.ts';
import { type Resolve, schemaOf } from './schema.ts';

/** A schema with more parts than any honest body has is not checked. */
const MOST_PARTS = 3000;
/** A pattern is a program by the document's author, which may never end. */
const PATTERN_MS = 250;
/** As long as four patterns that never end. */
const MOST_MS = 4 * PATTERN_MS;

/**
 * Why a schema of the document does not allow a value, in words; null if it does, or if the schema itself is faulty.
 * Variables in strings stand for what they become.
 */
export function mismatch(resolve: Resolve, schema: unknown, value: unknown): string | null {
  try {
    const ajv = new Ajv2020({ strict: false, logger: false, multipleOfPrecision: 6, code: { regExp: timed } });
    formats.default(ajv);
    const isValid = ajv.compile(selfContained(resolve, schema));
    // Parts that refer to others twice, and these again, multiply.
    const check = (): boolean => isValid(filled(value));
    return runInNewContext('check()', { check }, { timeout: MOST_MS }) === true ? null : said(isValid.errors ?? []);
  } catch {
    return null;
  }
}

/** The first error that is about a value and not about a choice among schemas. */
function said(errors: readonly ErrorObject[]): string {
  const plain = errors.find(({ keyword }) => !/^(oneOf|anyOf|allOf|if|not)$/.test(keyword)) ?? errors[0];
  const place = plain?.instancePath.slice(1).replaceAll('/', '.').slice(0, 64);
  return `${place ? `${place} ` : 'it '}${(plain?.message ?? 'is not allowed').slice(0, 200)}`;
}

/** A regular expression that takes too long, or that this engine does not know, matches. */
const timed = Object.assign(
  (pattern: string, flags: string) => ({
    // Ajv takes two patterns with the same text for one.
    toString: () => pattern,
    test: (value: string): boolean => {
      const context = { pattern, flags, value };
      try {
        return runInNewContext('new RegExp(pattern, flags).test(value)', context, { timeout: PATTERN_MS }) === true;
      } catch {
        return true;
      }
    },
  }),
  { code: 'timed' },
);

/**
 * The schema with all that it refers to, as JSON Schema: OpenAPI 3.0 has keywords of its own, and a request need not
 * have what is read-only.
 */
function selfContained(resolve: Resolve, schema: unknown): Fields {
  const names = new Map<string, string>();
  const definitions: Record<string, unknown> = {};
  const readOnly = new Set<unknown>();
  const requiring: { readonly own: Record<string, unknown>; readonly needed: readonly unknown[] }[] = [];
  let parts = 0;
  const convert = (node: unknown): unknown => {
    parts += 1;
    if (parts > MOST_PARTS) throw new RangeError('too many parts');
    if (typeof node !== 'object' || node === null) return node;
    const reference = text(record(node).$ref);
    if (reference !== null) {
      const known = names.get(reference) ?? `d${names.size}`;
      if (!names.has(reference)) {
        names.set(reference, known);
        definitions[known] = convert(resolve(node));
      }
      return { $ref: `#/$defs/${known}` };
    }
    const own = modern(record(node), convert);
    for (const [name, each] of Object.entries(record(record(node).properties))) {
      if (schemaOf(resolve, each).readOnly === true) readOnly.add(name);
    }
    const needed = list(record(node).required);
    if (needed.length > 0) requiring.push({ own, needed });
    return record(node).nullable === true ? { anyOf: [{ type: 'null' }, own] } : own;
  };
  const root = convert(schema);
  // What is read-only may be described in one part of a schema, and required in another.
  for (const { own, needed } of requiring) own.required = needed.filter((name) => !readOnly.has(name));
  return { ...record(root), $defs: definitions };
}

const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const MAPS = ['properties', 'patternProperties', 'dependentSchemas'];
const SINGLE = [
  'items',
  'additionalProperties',
  'propertyNames',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'unevaluatedProperties',
  'unevaluatedItems',
];
const PLAIN =
  /^(type|enum|const|pattern|format|multipleOf|(min|max)(imum|Length|Items|Properties|Contains)|exclusive(Min|Max)imum|uniqueItems|dependentRequired)$/;

/** One schema, of the keywords that say what a value is. */
function modern(fields: Fields, convert: (node: unknown) => unknown): Record<string, unknown> {
  const own: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (PLAIN.test(name)) own[name] = value;
    else if (LISTS.includes(name)) own[name] = list(value).map(convert);
    else if (SINGLE.includes(name)) own[name] = convert(value);
    else if (MAPS.includes(name))
      own[name] = Object.fromEntries(Object.entries(record(value)).map(([key, each]) => [key, convert(each)]));
  }
  for (const [exclusive, inclusive] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof own[exclusive] !== 'boolean') continue;
    if (own[exclusive]) {
      own[exclusive] = own[inclusive];
      delete own[inclusive];
    } else delete own[exclusive];
  }
  if (own.type === 'file') delete own.type;
  return own;
}

/** The value with each variable replaced by what it may become. */
function filled(value: unknown): unknown {
  if (typeof value === 'string') return typicalOf(value);
  if (Array.isArray(value)) return value.map(filled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filled(each)]));
}
