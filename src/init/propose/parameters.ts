import { list, record } from '../../profile/outline.ts';
import { exampleOf } from '../openapi/example.ts';
import type { ApiOperation, ApiParameter } from '../openapi/operations.ts';
import { type Resolve, schemaOf, typeOf } from '../openapi/schema.ts';

/** One parameter of the query as it is sent. */
export interface WireParameter {
  readonly name: string;
  readonly required: boolean;
  readonly schema: unknown;
  readonly value: () => string;
}

const KEY_PARAMETER = /^(x[-_]?)?(api[-_]?key|access[-_]?token)$/i;
/** Of the client, of the key, or of the body. */
const OTHERS_HEADER = /^(accept|authorization|content-type|content-length|host|cookie|x-api-key)$/i;

/**
 * The parameters of the query, each object taken apart as its style has it (`filter[colour]`, or a parameter for each
 * field), and each array with the fewest items that it may have, one at least.
 */
export function wireParameters({ parameters }: ApiOperation, resolve: Resolve): readonly WireParameter[] {
  return parameters
    .filter((each) => each.in === 'query' && !KEY_PARAMETER.test(each.name))
    .flatMap((parameter): readonly WireParameter[] => {
      const { name, required, schema, style, explode } = parameter;
      const fields = schemaOf(resolve, schema);
      const type = typeOf(fields);
      if (type === 'array') {
        const items = list(fields.prefixItems)[0] ?? fields.items;
        return [{ name, required, schema: items, value: () => arrayText(parameter, items, resolve) }];
      }
      if (type !== 'object' || (style !== 'deepObject' && !explode)) {
        return [{ name, required, schema, value: () => wireText(parameter, resolve) }];
      }
      const needed = neededFields(parameter, fields);
      return Object.entries(record(fields.properties)).map(([field, node]) => ({
        name: style === 'deepObject' ? `${name}[${field}]` : field,
        required: required && needed.includes(field),
        schema: node,
        value: () =>
          textOf(record(parameter.example)[field] ?? exampleOf(resolve, { schema: node, example: undefined })),
      }));
    });
}

/** Headers that the operation needs, except those of the client, the key and the body. */
export function neededHeaders({ parameters }: ApiOperation, resolve: Resolve): Record<string, string> {
  const needed = parameters.filter((each) => each.in === 'header' && each.required && !OTHERS_HEADER.test(each.name));
  return Object.fromEntries(needed.map((each) => [each.name, headerText(each, resolve)]));
}

/** Headers that name one request: the example of the document would say that all are the same one. */
const OF_ONE_REQUEST = /idempotency|request-?id|correlation|trace-?id|nonce|transaction-?id/i;

/** The document's example, because a header names something that exists, such as a shop; else a made-up value. */
function headerText(header: ApiParameter, resolve: Resolve): string {
  const shown = OF_ONE_REQUEST.test(header.name) ? null : shownValue(header, resolve);
  return shown ?? textOf(exampleOf(resolve, header, { unique: true }));
}

/** What the document shows for a parameter: an example, a default, or a listed value; null if it shows none. */
export function shownValue(parameter: ApiParameter | undefined, resolve: Resolve): string | null {
  if (!parameter) return null;
  const schema = schemaOf(resolve, parameter.schema);
  const shown = ['example', 'examples', 'default', 'enum', 'const'].some((keyword) => keyword in schema);
  return shown || parameter.example !== undefined ? textOf(exampleOf(resolve, parameter)) || null : null;
}

export function textOf(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Object.values(value).map(textOf).join(',');
  return String(value);
}

/**
 * The required fields of an object. If the object is required but none of its fields is, nothing of it would be sent,
 * so it takes the fields of the document's example, or the first one.
 */
function neededFields(
  { required, example }: ApiParameter,
  fields: Readonly<Record<string, unknown>>,
): readonly unknown[] {
  const stated = list(fields.required);
  if (!required || stated.length > 0) return stated;
  const properties = Object.keys(record(fields.properties));
  const shown = properties.filter((name) => name in record(example));
  return shown.length > 0 ? shown : properties.slice(0, 1);
}

function arrayText(parameter: ApiParameter, items: unknown, resolve: Resolve): string {
  const made = list(exampleOf(resolve, parameter));
  const values = made.length > 0 ? made : [exampleOf(resolve, { schema: items, example: undefined })];
  // A profile has each name once, so only the first of several items with the same name is used.
  return textOf(parameter.explode ? values[0] : values);
}

function wireText({ schema, example }: ApiParameter, resolve: Resolve): string {
  const value = exampleOf(resolve, { schema, example });
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return textOf(value);
  return Object.entries(value).flat().map(textOf).join(',');
}
