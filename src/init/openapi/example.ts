import { list, record } from '../../profile/outline.ts';
import type { Fields } from './document.ts';
import { numberOf } from './example-number.ts';
import { type Shortcomings, stringOf, uniqueString } from './example-string.ts';
import { mismatch } from './own-schema.ts';
import { bound, conditionsOf, isNumeric, type Resolve, schemaOf, together, typeOf } from './schema.ts';
import { singular } from './words.ts';

/** Maximum number of values in an example: enough for any body of such a service, and it ends endless schemas. */
const MAX_VALUES = 100;
const MAX_DEPTH = 6;

export interface ExampleOptions extends Partial<Shortcomings> {
  readonly unique?: boolean;
}

/**
 * An example for a schema: the one in the document, else the smallest that matches. With `unique`, strings that look as
 * if they had to be unique get a `{{uuid}}`, so the request can be repeated; `fixed` is called for those that could not
 * get one, and `counted` for those that got only a counter. `unfit` is called for made-up strings that do not match
 * their pattern.
 */
export function exampleOf(
  resolve: Resolve,
  { schema, example }: { readonly schema: unknown; readonly example: unknown },
  { unique = false, fixed = () => {}, counted = () => {}, unfit = () => {} }: ExampleOptions = {},
): unknown {
  let values = 0;
  const told: Shortcomings = { unfit: once(unfit), fixed: once(fixed), counted: once(counted) };

  /** As the schema says, and then as each of its conditions that the value so far meets, or does not meet. */
  function fromSchema(node: unknown, name: string, depth: number): unknown {
    const before = values;
    let fields = schemaOf(resolve, node);
    let made = fromFields(fields, name, depth);
    for (const { test, met, unmet } of depth < MAX_DEPTH ? conditionsOf(resolve, node) : []) {
      const due = mismatch(resolve, test, made) === null ? met : unmet;
      if (due === undefined || mismatch(resolve, due, made) === null) continue;
      fields = together(fields, schemaOf(resolve, due));
      values = before;
      made = fromFields(fields, name, depth);
    }
    return made;
  }

  function fromFields(fields: Fields, name: string, depth: number): unknown {
    values += 1;
    const given = givenIn(fields);
    if (given !== undefined) return withSchema(given, fields, name, depth);
    const type = typeOf(fields);
    if (type === 'object') return objectOf(fields, depth);
    if (type === null) return 'properties' in fields ? objectOf(fields, depth) : 'example';
    if (type === 'array') {
      return depth < MAX_DEPTH ? itemsOf(fields, singular(name), depth) : [];
    }
    if (type === 'boolean') return true;
    if (isNumeric(fields)) return numberOf(fields);
    return unique ? newText(fields, name) : stringOf(fields, name, told);
  }

  function newText(fields: Fields, name: string): string {
    return uniqueString(stringOf(fields, name, told), fields, name, told);
  }

  /** The minimum number of items; the first ones may have their own schemas. */
  function itemsOf(fields: Fields, name: string, depth: number): unknown[] {
    const first = list(fields.prefixItems);
    const least = Math.min(bound(fields.minItems) ?? 0, MAX_VALUES - values);
    const items: unknown[] = [];
    while (items.length < least && values < MAX_VALUES) {
      items.push(fromSchema(first[items.length] ?? fields.items, name, depth + 1));
    }
    return fields.uniqueItems === true ? distinct(items, schemaOf(resolve, fields.items)) : items;
  }

  function objectOf(fields: Fields, depth: number): Fields {
    const properties = record(fields.properties);
    const others = othersOf(fields);
    const undescribed = list(fields.required)
      .map(String)
      .filter((name) => !(name in properties));
    const required = new Set(list(fields.required));
    const settable = Object.entries(properties).filter(([, node]) => schemaOf(resolve, node).readOnly !== true);
    const needed = [
      ...settable.filter(([name]) => required.has(name)),
      ...(others === null ? [] : undescribed.map((name) => [name, others.schema] as const)),
    ];
    // A body with only optional fields would be empty and change nothing, which some services refuse.
    const least = Math.max(bound(fields.minProperties) ?? 0, depth > 0 ? 0 : 1, needed.length);
    const optional = settable.filter(([name]) => !required.has(name));
    const chosen = [...needed, ...optional.slice(0, least - needed.length)];
    const free = depth < MAX_DEPTH ? Math.max(0, MAX_VALUES - values) : 0;
    const more = others === null ? 0 : Math.min(least - chosen.length, free);
    const names = Array.from({ length: Math.max(0, more) }, () => stringOf(others?.name ?? {}, '', told));
    const added = distinct(names, others?.name ?? {}).map((name) => [String(name), others?.schema] as const);
    return Object.fromEntries(
      [...chosen, ...added].slice(0, free).map(([name, node]) => [name, fromSchema(node, name, depth + 1)]),
    );
  }

  /**
   * What names and values an object may have besides its properties; null if it says nothing of them, or has no others.
   */
  function othersOf({ patternProperties, additionalProperties, propertyNames }: Fields) {
    const [byPattern] = Object.entries(record(patternProperties));
    if (byPattern) return { name: { pattern: byPattern[0] }, schema: byPattern[1] };
    if (!additionalProperties) return null;
    return { name: schemaOf(resolve, propertyNames), schema: additionalProperties };
  }

  /** The document's example, with each part checked against its schema if it has one. */
  function withSchema(given: unknown, fields: Fields, name: string, depth: number): unknown {
    values += 1;
    if (values > MAX_VALUES || depth > MAX_DEPTH) return typeof given === 'object' ? null : plain(given);
    if (typeof given === 'string') return unique ? uniqueString(plain(given), fields, name, told) : plain(given);
    if (Array.isArray(given)) {
      const items = schemaOf(resolve, fields.items);
      return given.slice(0, MAX_VALUES).map((each) => withSchema(each, items, singular(name), depth + 1));
    }
    if (typeof given !== 'object' || given === null) return given;
    const properties = record(fields.properties);
    return Object.fromEntries(
      Object.entries(given)
        .slice(0, MAX_VALUES)
        .flatMap(([key, value]) => {
          const part = schemaOf(resolve, properties[key]);
          if (part.readOnly === true) return [];
          return [[plain(key), withSchema(value, part, key, depth + 1)]];
        }),
    );
  }

  if (example !== undefined) return withSchema(example, schemaOf(resolve, schema), '', 0);
  return fromSchema(schema, '', 0);
}

/** Items of which each is another, as far as a listed value, a number or a free text can be. */
function distinct(items: readonly unknown[], { enum: listed, format, pattern, maxLength }: Fields): unknown[] {
  const isFree = format === undefined && pattern === undefined && maxLength === undefined;
  return items.map((item, index) => {
    if (items.indexOf(item) === index) return item;
    if (list(listed).length > index) return list(listed)[index];
    if (typeof item === 'number') return item + index;
    return typeof item === 'string' && isFree ? `${item}-${index + 1}` : item;
  });
}

function givenIn(fields: Fields): unknown {
  if ('example' in fields) return fields.example;
  const [first] = list(fields.examples);
  if (first !== undefined) return first;
  if ('const' in fields) return fields.const;
  if ('default' in fields && fields.default !== null && fields.default !== '') return fields.default;
  return list(fields.enum).find((each) => each !== null);
}

/** Braces in the document would look like a variable, and a longer text is not an example of a field. */
function plain<Value>(value: Value): Value | string {
  return typeof value === 'string' ? value.slice(0, 500).replaceAll('{{', '{ {') : value;
}

/** Says each thing once, however often a value is made again. */
function once(say: (name: string) => void): (name: string) => void {
  const said = new Set<string>();
  return (name) => {
    if (!said.has(name)) say(name);
    said.add(name);
  };
}
