import { list, record, text } from '../../profile/outline.ts';
import type { Fields } from './document.ts';
import { type Resolve, resolver } from './schema.ts';

/** What an OpenAPI document says of an interface, as far as a profile can be proposed from it. */
export interface Api {
  readonly title: string | null;
  readonly version: string | null;
  /** URLs of the servers, their variables filled in by the defaults; perhaps relative. */
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
  readonly tags: readonly string[];
  readonly deprecated: boolean;
  /** The document says that it takes no key. */
  readonly open: boolean;
  readonly parameters: readonly ApiParameter[];
  readonly body: ApiContent | null;
  /** Statuses that the document names, such as `200`, `4XX` and `default`. */
  readonly statuses: readonly string[];
  /** The body of the answer on success; null where the document shows none. */
  readonly answer: ApiContent | null;
  /** Names of the headers of the answer on success, in lower case. */
  readonly answerHeaders: readonly string[];
}

export interface ApiParameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: unknown;
  /** A value that the document gives; undefined where it gives none. */
  readonly example: unknown;
}

/** A body: JSON where the document offers it. */
export interface ApiContent {
  readonly contentType: string;
  readonly required: boolean;
  readonly schema: unknown;
  readonly example: unknown;
}

/** Whether an example of such a body can be put into a profile: JSON, or a form of flat fields. */
export function isWritable({ contentType }: ApiContent): boolean {
  return /[/+]json\b/i.test(contentType) || /^application\/x-www-form-urlencoded\b/i.test(contentType);
}

const METHODS = ['get', 'head', 'query', 'post', 'put', 'patch', 'delete'];

/** More than any such service has. */
const MAX_OPERATIONS = 1000;

export function apiOf(root: Fields): Api {
  const resolve = resolver(root);
  const info = record(root.info);
  const openByDefault = isOpen(root.security);
  const operations: ApiOperation[] = [];
  for (const [path, node] of Object.entries(record(root.paths))) {
    if (!path.startsWith('/')) continue;
    const item = resolve(node);
    for (const method of METHODS) {
      if (operations.length >= MAX_OPERATIONS) break;
      if (typeof item[method] === 'object' && item[method] !== null) {
        operations.push(operationOf(resolve, method, path, item, openByDefault));
      }
    }
  }
  return {
    title: text(info.title),
    version: text(info.version),
    servers: list(root.servers).slice(0, 20).flatMap(serverUrl),
    operations,
    securitySchemes: Object.values(record(record(root.components).securitySchemes))
      .slice(0, 50)
      .map(resolve),
    resolve,
  };
}

function operationOf(
  resolve: Resolve,
  method: string,
  path: string,
  item: Fields,
  openByDefault: boolean,
): ApiOperation {
  const fields = record(item[method]);
  const responses = record(fields.responses);
  const success = ['200', '201', '202', '2XX', '204'].find((status) => status in responses);
  const answer = success === undefined ? {} : resolve(responses[success]);
  return {
    method: method.toUpperCase(),
    path,
    operationId: text(fields.operationId),
    tags: list(fields.tags).flatMap((tag) => text(tag) ?? []),
    deprecated: fields.deprecated === true,
    open: 'security' in fields ? isOpen(fields.security) : openByDefault,
    parameters: parametersOf(resolve, item.parameters, fields.parameters),
    body: contentOf(resolve, resolve(fields.requestBody)),
    statuses: Object.keys(responses).slice(0, 50),
    answer: contentOf(resolve, answer),
    answerHeaders: Object.keys(record(answer.headers)).map((name) => name.toLowerCase()),
  };
}

/** `security: []`, or an empty choice in it, says that a request needs nothing. Not to speak of it says nothing. */
function isOpen(security: unknown): boolean {
  return Array.isArray(security) && (security.length === 0 || security.some((each) => isEmpty(record(each))));
}

function isEmpty(fields: Fields): boolean {
  return Object.keys(fields).length === 0;
}

/** Those of the path, each replaced by the operation's own of the same name and place. */
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

function serverUrl(node: unknown): readonly string[] {
  const server = record(node);
  const url = text(server.url);
  if (url === null || url.length > 2000) return [];
  const variables = record(server.variables);
  return [url.replace(/\{([^{}]+)\}/g, (all, name: string) => text(record(variables[name]).default) ?? all)];
}
