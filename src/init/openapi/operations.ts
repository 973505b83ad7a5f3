import { list, record, text } from '../../profile/outline.ts';
import type { Fields } from './document.ts';
import { type Resolve, resolver } from './schema.ts';

/** The parts of an OpenAPI document that a profile can be proposed from. */
export interface Api {
  readonly title: string | null;
  readonly version: string | null;
  /**
   * URLs of the servers, with the defaults of their variables; possibly relative, and `/` if there is none. A variable
   * without a value stays in its braces.
   */
  readonly servers: readonly string[];
  readonly operations: readonly ApiOperation[];
  readonly securitySchemes: readonly Fields[];
  readonly resolve: Resolve;
}

export interface ApiOperation {
  /** In capitals. */
  readonly method: string;
  /** As in the document: `/labels/{label_id}`. */
  readonly path: string;
  readonly operationId: string | null;
  readonly summary: string | null;
  readonly tags: readonly string[];
  readonly deprecated: boolean;
  /** What the document says about keys: `needed` if it says nothing. */
  readonly key: 'needed' | 'optional' | 'none';
  readonly parameters: readonly ApiParameter[];
  readonly body: ApiContent | null;
  /** Statuses that the document names, such as `200`, `4XX` and `default`. */
  readonly statuses: readonly string[];
  /** The body of a successful answer; null if the document shows none. */
  readonly answer: ApiContent | null;
  /** Names of the headers of a successful answer, in lower case. */
  readonly answerHeaders: readonly string[];
}

export interface ApiParameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  /** `deepObject`, or another style of OpenAPI; null: the usual one of its place. */
  readonly style: string | null;
  /** Whether each item of an array, or field of an object, is a separate parameter in the query. */
  readonly explode: boolean;
  readonly schema: unknown;
  /** A value from the document; undefined if it gives none. */
  readonly example: unknown;
}

/** A body: JSON if the document offers it. */
export interface ApiContent {
  readonly contentType: string;
  readonly required: boolean;
  readonly schema: unknown;
  readonly example: unknown;
}

/** Whether a profile can contain an example of such a body: JSON, or a form with described fields. */
export function isWritable({ contentType, schema }: ApiContent): boolean {
  if (/[/+]json\b/i.test(contentType)) return true;
  const form = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(contentType);
  return form && ['properties', '$ref', 'allOf'].some((keyword) => keyword in record(schema));
}

const METHODS = ['get', 'head', 'query', 'post', 'put', 'patch', 'delete'];

/** No such service has more. */
const MAX_OPERATIONS = 1000;

export function apiOf(root: Fields): Api {
  const resolve = resolver(root);
  const info = record(root.info);
  const { security } = root;
  const items = Object.values(record(root.paths)).map(resolve);
  // An operation without security needs none if others have it; if none has, nothing is known.
  const silent = items.some((item) => METHODS.some((method) => 'security' in record(item[method]))) ? [] : undefined;
  const operations: ApiOperation[] = [];
  for (const [path, node] of Object.entries(record(root.paths))) {
    if (!path.startsWith('/')) continue;
    const item = resolve(node);
    for (const method of METHODS) {
      if (operations.length >= MAX_OPERATIONS) break;
      if (typeof item[method] === 'object' && item[method] !== null) {
        operations.push(operationOf(resolve, method, path, item, security ?? silent));
      }
    }
  }
  return {
    title: text(info.title),
    version: text(info.version),
    servers: list(root.servers).length > 0 ? list(root.servers).slice(0, 20).flatMap(serverUrl) : ['/'],
    operations,
    securitySchemes: Object.values(record(record(root.components).securitySchemes))
      .slice(0, 50)
      .map(resolve),
    resolve,
  };
}

function operationOf(resolve: Resolve, method: string, path: string, item: Fields, security: unknown): ApiOperation {
  const fields = record(item[method]);
  const responses = record(fields.responses);
  const success = ['200', '201', '202', '2XX', '204'].find((status) => status in responses);
  const answer = success === undefined ? {} : resolve(responses[success]);
  return {
    method: method.toUpperCase(),
    path,
    operationId: text(fields.operationId),
    summary: text(fields.summary),
    tags: list(fields.tags).flatMap((tag) => text(tag) ?? []),
    deprecated: fields.deprecated === true,
    key: keyOf('security' in fields ? fields.security : security),
    parameters: parametersOf(resolve, item.parameters, fields.parameters),
    body: contentOf(resolve, resolve(fields.requestBody)),
    statuses: Object.keys(responses).slice(0, 50),
    answer: contentOf(resolve, answer),
    answerHeaders: Object.keys(record(answer.headers)).map((name) => name.toLowerCase()),
  };
}

/**
 * `security: []` says that a request needs no key, and an empty alternative in it that a key is optional. Without the
 * field, nothing is known.
 */
function keyOf(security: unknown): ApiOperation['key'] {
  if (!Array.isArray(security)) return 'needed';
  const empty = security.filter((each) => Object.keys(record(each)).length === 0).length;
  return empty === security.length ? 'none' : empty > 0 ? 'optional' : 'needed';
}

/** The parameters of the path, each replaced by the operation's parameter with the same name and place. */
function parametersOf(resolve: Resolve, shared: unknown, own: unknown): readonly ApiParameter[] {
  const found = new Map<string, ApiParameter>();
  for (const node of [...list(shared), ...list(own)].slice(0, 200)) {
    const fields = resolve(node);
    const name = text(fields.name);
    const place = text(fields.in);
    if (name === null || place === null) continue;
    found.set(`${place} ${name}`, {
      name,
      in: place,
      required: fields.required === true || place === 'path',
      style: text(fields.style),
      explode: fields.explode !== false,
      schema: fields.schema ?? Object.values(record(fields.content)).map((each) => record(each).schema)[0],
      example: exampleIn(resolve, fields),
    });
  }
  return [...found.values()];
}

function contentOf(resolve: Resolve, fields: Fields): ApiContent | null {
  const content = Object.entries(record(fields.content));
  const [contentType, node] =
    content.find(([type]) => /^application\/json\b/i.test(type)) ??
    content.find(([type]) => /[/+]json\b/i.test(type)) ??
    content.find(([type]) => type === '*/*') ??
    content[0] ??
    [];
  if (contentType === undefined) return null;
  const media = resolve(node);
  return {
    contentType: contentType === '*/*' ? 'application/json' : contentType,
    required: fields.required === true,
    schema: media.schema,
    example: exampleIn(resolve, media),
  };
}

function exampleIn(resolve: Resolve, fields: Fields): unknown {
  if ('example' in fields) return fields.example;
  const [first] = Object.values(record(fields.examples));
  return first === undefined ? undefined : resolve(first).value;
}

/** An empty variable takes the slash before it along, so that no path becomes a host. */
function serverUrl(node: unknown): readonly string[] {
  const server = record(node);
  const url = text(server.url);
  if (url === null || url.length > 2000) return [];
  const variables = record(server.variables);
  const filled = url.replace(/(\/?)\{([^{}]+)\}/g, (all, slash: string, name: string) => {
    const variable = record(variables[name]);
    const value = variable.default ?? list(variable.enum)[0];
    if (typeof value !== 'string' && typeof value !== 'number') return all;
    return value === '' ? '' : `${slash}${value}`;
  });
  return [filled];
}
