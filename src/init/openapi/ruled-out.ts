import { list, record, text } from '../../profile/outline.ts';
import type { Operation, Profile } from '../../profile/profile.ts';
import { changes, takesJson } from '../../profile/repetition.ts';
import type { Place, RuledOut } from '../../property/odd-request.ts';
import { textOf, wireParameters } from '../propose/parameters.ts';
import { LONGEST } from '../propose/wrong-value.ts';
import type { Fields } from './document.ts';
import { isDocumentedAs } from './documented.ts';
import type { Api, ApiOperation } from './operations.ts';
import { parameterOf, segments } from './path.ts';
import { bound, type Resolve, schemaOf, typesOf } from './schema.ts';

/** Bounds that keep any document from making this slow: places in one body, and their depth. */
const MOST_PLACES = 100;
const MOST_DEEP = 4;

/** One value of each JSON type; for numbers, an integer and a fraction. */
const OF_TYPE: readonly (readonly [string, unknown])[] = [
  ['null', null],
  ['boolean', true],
  ['integer', 7],
  ['number', 0.5],
  ['string', 'not-valid'],
  ['array', []],
  ['object', {}],
];

/** Headers about the client or the request: the service might accept a value of another type. */
const MEANT = /key|token|auth|cookie|method|forward|^if-|range|host|origin|^(accept|content|x-ratelimit)/i;

/**
 * The values that an OpenAPI document rules out for the operations of a profile, one at a time: wrong type, out of
 * range, too long, not in the list, or a missing required value. It replaces a parameter of the path only in reads,
 * because a write might change somebody else's thing. Undescribed parts give no value.
 */
export function ruledOut(
  { operations, baseUrl }: Pick<Profile, 'operations' | 'baseUrl'>,
  { operations: documented, resolve }: Pick<Api, 'operations' | 'resolve'>,
): readonly RuledOut[] {
  return operations.flatMap((operation) => {
    const source = documented.find((each) => isDocumentedAs(operation, each, baseUrl));
    if (!source) return [];
    const all = [...ofParameters(operation, source, resolve), ...ofBody(operation, source, resolve)];
    // Braces in the document would look like a variable.
    return all.filter(({ place }) => !place.join('').includes('{{'));
  });
}

function ofParameters(operation: Operation, source: ApiOperation, resolve: Resolve): readonly RuledOut[] {
  const query = wireParameters(source, resolve).map(({ name, schema }) => ({ where: 'query' as const, name, schema }));
  const headers = source.parameters
    .filter((each) => each.in === 'header' && /^[\w-]+$/.test(each.name) && !MEANT.test(each.name))
    .map(({ name, schema }) => ({ where: 'header' as const, name, schema }));
  const path = changes(operation) ? [] : pathParameters(operation, source);
  return [...query, ...headers, ...path].flatMap(({ where, name, schema }) =>
    wrongTexts(schemaOf(resolve, schema)).map((value) => ({ operation: operation.id, where, place: [name], value })),
  );
}

/** Each by the number of its segment in the operation's own path. */
function pathParameters(operation: Operation, source: ApiOperation) {
  const own = segments(operation.path);
  const before = segments(source.path).length - own.length;
  return own.flatMap((_, index) => {
    const name = parameterOf(segments(source.path)[index + before]);
    const schema = source.parameters.find((each) => each.in === 'path' && each.name === name)?.schema;
    return schema === undefined ? [] : [{ where: 'path' as const, name: index, schema }];
  });
}

/**
 * Texts that a parameter's schema rules out: a word for a number, a wrong length for a string, and a value that is not
 * in the list.
 */
function wrongTexts(schema: Fields): readonly string[] {
  const isText = typesOf(schema).length === 0 || typesOf(schema).includes('string');
  return wrongValues(schema, new Set(['object', 'array', 'null', ...(isText ? ['boolean', 'integer', 'number'] : [])]))
    .map(textOf)
    .filter((each) => each !== '');
}

function ofBody(operation: Operation, { body }: ApiOperation, resolve: Resolve): readonly RuledOut[] {
  if (body === null || !takesJson(operation)) return [];
  const found: RuledOut[] = [];
  let places = 0;
  const visit = (node: unknown, place: Place, isRequired: boolean): void => {
    places += 1;
    if (places > MOST_PLACES) return;
    const schema = schemaOf(resolve, node);
    const base = { operation: operation.id, where: 'body' as const, place };
    if (isRequired) found.push(base);
    for (const value of wrongValues(schema)) found.push({ ...base, value });
    if (place.length >= MOST_DEEP) return;
    const required = list(schema.required);
    for (const [name, each] of Object.entries(record(schema.properties))) {
      visit(each, [...place, name], required.includes(name));
    }
    if ('items' in schema) visit(schema.items, [...place, 0], false);
  };
  visit(body.schema, [], false);
  return found;
}

/** Values that a schema rules out, plainest first. @param but types that are not tried */
export function wrongValues(schema: Fields, but: ReadonlySet<string> = new Set()): readonly unknown[] {
  const types = new Set(typesOf(schema));
  // In JSON Schema every integer is also a number.
  if (types.has('number')) types.add('integer');
  if (schema.nullable === true) types.add('null');
  const listed = list(schema.enum);
  const others = OF_TYPE.filter(([type]) => types.size > 0 && !types.has(type) && !but.has(type)).map(
    ([, value]) => value,
  );
  const unlisted = listed.length > 0 && !listed.includes('not-valid') && types.has('string') ? ['not-valid'] : [];
  const formed = /^(date|date-time|uuid|email|ipv4|ipv6|uri)$/.test(text(schema.format) ?? '') ? ['not-valid'] : [];
  return [
    ...others,
    ...(types.has('string') ? [...new Set([...unlisted, ...formed]), ...wrongLengths(schema)] : []),
    ...(types.has('integer') ? outOfRange(schema) : []),
  ];
}

function wrongLengths({ minLength, maxLength }: Fields): readonly string[] {
  const least = bound(minLength) ?? 0;
  const most = bound(maxLength) ?? LONGEST;
  return [
    ...(least > 0 ? ['x'.repeat(Math.min(least, LONGEST) - 1)] : []),
    ...(most < LONGEST ? ['x'.repeat(most + 1)] : []),
  ];
}

/** One value beyond each bound, whether the bound is inclusive or not. */
function outOfRange({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Fields): readonly number[] {
  const least = bound(minimum) ?? bound(exclusiveMinimum);
  const most = bound(maximum) ?? bound(exclusiveMaximum);
  return [...(least === null ? [] : [least - 1]), ...(most === null ? [] : [most + 1])];
}
