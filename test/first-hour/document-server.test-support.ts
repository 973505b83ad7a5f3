import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { Clock } from '../../src/clock/clock.ts';
import type { Fields } from '../../src/init/openapi/document.ts';
import { type Api, type ApiOperation, apiOf } from '../../src/init/openapi/operations.ts';
import { schemaOf, typeOf } from '../../src/init/openapi/schema.ts';
import { fromSwagger2 } from '../../src/init/openapi/swagger-2.ts';
import { itemsIn, lastWord, operationAt } from './document-paths.test-support.ts';
import { bodyOf, keyOf, queryValue, requestSchema, sameType, textOf } from './read-request.test-support.ts';

/** A deployment that conforms to the specification and to an OpenAPI document, and notes harmful requests. */
export interface DocumentServer {
  /** The URL of the document. */
  readonly documentUrl: string;
  /** Requests that the suite must never send by itself, because they destroy things that it did not create. */
  readonly harm: readonly string[];
  close(): Promise<void>;
}

const LIMITS = { read: 100, write: 30 } as const;
const WINDOW_US = 60e6;
const SEARCH = /^(search|query)$/;
const MONITORING = /^\/?(api\/v1\/)?(health|healthz|up|metrics|actuator\/health)$/;
const KEYS_OF_THE_SERVICE = /api-keys|login/;

/** An identifier with this many characters never exists. */
type Things = Map<string, Set<string>>;

/**
 * Serves the operations of a document: 200 if a request matches it and its things exist; 400, 401, 403, 404 and 429 as
 * the specification says; fixed windows on the clock's grid; and the three headers on every answer.
 *
 * @param document the parsed document; its absolute servers are replaced by this one, as a generator does that runs in
 *   the deployment
 */
export async function serveDocument(document: Fields, keys: readonly string[], clock: Clock): Promise<DocumentServer> {
  const root = document.swagger === '2.0' ? fromSwagger2(document) : document;
  const api = apiOf(root);
  const harm: string[] = [];
  const things: Things = new Map();
  const counts = new Map<string, number>();
  /** Number of the last created thing; numbers are never reused. */
  let numbered = 1000;
  const validators = new Map<string, ValidateFunction>();
  const ajv = new Ajv({ strict: false, coerceTypes: 'array', allErrors: false });
  formats.default(ajv);
  const prefix = prefixOf(api);
  const names = new Set(api.operations.flatMap(({ path }) => itemsIn(path).map(({ collection }) => collection)));
  const upserts = new Set(
    [...names].filter((name) => !api.operations.some((each) => each.method === 'POST' && lastWord(each.path) === name)),
  );
  for (const { path, parameters } of api.operations) {
    for (const { collection, name } of itemsIn(path)) {
      const { example, schema } = parameters.find((each) => each.in === 'path' && each.name === name) ?? {};
      const known = example ?? schemaOf(api.resolve, schema).example;
      if (known !== undefined) thingsOf(things, collection).add(String(known));
    }
  }

  function valid(operation: ApiOperation, part: string, schema: object, value: unknown): boolean {
    const id = `${operation.method} ${operation.path} ${part}`;
    const validator = validators.get(id) ?? ajv.compile(schema);
    validators.set(id, validator);
    return validator(value) === true;
  }

  /** Whether the query, the headers and the body match the document. */
  function fits(operation: ApiOperation, url: URL, request: IncomingMessage, text: string): boolean {
    const fine = operation.parameters.every((parameter) => {
      if (parameter.in !== 'query' && parameter.in !== 'header') return true;
      const schema = requestSchema(api, parameter.schema);
      const given =
        parameter.in === 'header'
          ? request.headers[parameter.name.toLowerCase()]
          : queryValue(
              url.searchParams,
              parameter.name,
              typeOf(schemaOf(api.resolve, parameter.schema)),
              parameter.explode,
            );
      if (given === undefined) return !parameter.required;
      return valid(operation, `${parameter.in} ${parameter.name}`, { properties: { it: schema } }, { it: given });
    });
    if (!fine) return false;
    const { body } = operation;
    if (body === null || (text === '' && !body.required)) return true;
    const parsed = bodyOf(request.headers['content-type'] ?? '', text);
    if (parsed === undefined || !sameType(request.headers['content-type'] ?? '', body.contentType)) return false;
    return valid(operation, 'body', requestSchema(api, body.schema), parsed) && refersToWhatIsThere(parsed);
  }

  /** Whether fields that refer to a thing of another collection refer to an existing one. */
  function refersToWhatIsThere(body: unknown): boolean {
    return Object.entries(body as Fields).every(([field, value]) => {
      const noun = /^(.+?)(_id|Id|_code)?$/.exec(field)?.[1] ?? '';
      const collection = [...names].find((name) => singular(name) === noun.toLowerCase());
      return collection === undefined || typeof value === 'object' || thingsOf(things, collection).has(String(value));
    });
  }

  function perform(operation: ApiOperation, url: URL, request: IncomingMessage, text: string) {
    const path = url.pathname.slice(prefix.length);
    const { method } = operation;
    const given = itemsIn(operation.path, path);
    const own = given.at(-1);
    const isItem = operation.path.replace(/\/$/, '').endsWith('}');
    if (operation.statuses.length > 0 && operation.statuses.every((status) => status.startsWith('5')))
      return { status: 500 };
    const creates = isItem && method === 'PUT' && own !== undefined && upserts.has(own.collection);
    const needed = creates ? given.slice(0, -1) : given;
    const there = needed.every(({ collection, value }) => {
      const closed = ['de', 'fr'].includes(value);
      return closed || thingsOf(things, collection).has(value);
    });
    if (!there) return { status: 404 };
    if (!fits(operation, url, request, text)) return { status: 400 };
    if (creates) thingsOf(things, own.collection).add(own.value);
    if (method === 'DELETE' && isItem && own) thingsOf(things, own.collection).delete(own.value);
    const collection = lastWord(operation.path);
    if (method !== 'POST' || isItem || !names.has(collection)) return { status: 200, body: {} };
    return made(operation, collection, bodyOf(request.headers['content-type'] ?? '', text));
  }

  /** Creates a thing; one with an identifier that the client chooses is created once. */
  function made(operation: ApiOperation, collection: string, body: unknown) {
    const item = api.operations.find((each) => itemsIn(each.path).at(-1)?.collection === collection);
    const parameter = item?.parameters.find((each) => each.name === itemsIn(item.path).at(-1)?.name);
    const chosen = parameter && (body as Fields | null)?.[parameter.name];
    const kind = schemaOf(api.resolve, parameter?.schema);
    numbered += 1;
    const id =
      chosen !== undefined
        ? String(chosen)
        : kind.format === 'uuid'
          ? `00000000-0000-4000-8000-${String(numbered).padStart(12, '0')}`
          : String(numbered);
    if (thingsOf(things, collection).has(id)) return { status: 400 };
    thingsOf(things, collection).add(id);
    const value = ['integer', 'number'].includes(typeOf(kind) ?? '') ? Number(id) : id;
    const fields = { id: value, uuid: value, [parameter?.name ?? 'id']: value };
    const { answer } = operation;
    const shown = { ...(schemaOf(api.resolve, answer?.schema).properties as Fields), ...(answer?.example as Fields) };
    const body_ = 'data' in shown ? { data: fields } : fields;
    const location = operation.answerHeaders.includes('location') ? { Location: `/somewhere/${id}` } : {};
    return { status: 200, body: operation.answerHeaders.length > 0 ? {} : body_, headers: location };
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await textOf(request);
    const url = new URL(request.url ?? '/', 'http://localhost');
    const send = (status: number, body: unknown = {}, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
    };
    if (url.pathname === DOCUMENT) return send(200, ownServers(document, `http://${request.headers.host}`));
    if (MONITORING.test(url.pathname)) return send(200);
    const operation = operationAt(api, request.method ?? '', url.pathname, prefix);
    const last = lastWord(operation?.path ?? '');
    const kind = request.method === 'GET' || request.method === 'HEAD' || SEARCH.test(last) ? 'read' : 'write';
    const now = clock.epoch + clock.now();
    const window = Math.floor(now / WINDOW_US);
    const key = keyOf(request);
    const known = key !== null && keys.includes(key);
    const budget = `${key} ${kind} ${window}`;
    const used = known ? (counts.get(budget) ?? 0) + 1 : 0;
    if (known) counts.set(budget, used);
    const rate = {
      'X-RateLimit-Limit': String(LIMITS[kind]),
      'X-RateLimit-Remaining': String(Math.max(0, LIMITS[kind] - used)),
      'X-RateLimit-Reset': String(Math.ceil(((window + 1) * WINDOW_US) / 1e6)),
    };
    if (!known) return send(401, {}, rate);
    if (used > LIMITS[kind]) return send(429, {}, rate);
    if (!operation) return send(404, {}, rate);
    const fixed = operation.path.replace(/\/$/, '');
    if (KEYS_OF_THE_SERVICE.test(fixed) || (operation.method === 'DELETE' && !fixed.includes('{'))) {
      harm.push(`${operation.method} ${fixed}`);
    }
    const { status, body, headers } = perform(operation, url, request, text) as Result;
    send(status, body, { ...rate, ...headers });
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => request.socket.destroy());
  });
  // Longer than any client keeps an idle connection: none is closed under a request that is on its way.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 1024, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    documentUrl: `http://127.0.0.1:${port}${DOCUMENT}`,
    harm,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Result {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

const DOCUMENT = '/openapi.json';

function prefixOf({ servers }: Api): string {
  const [server = '/'] = servers;
  return new URL(server, 'http://localhost').pathname.replace(/\/$/, '');
}

/** Absolute URLs in a document become this server's. */
function ownServers(root: Fields, origin: string): Fields {
  if ('host' in root) return { ...root, host: new URL(origin).host };
  const servers = root.servers as readonly { url: string }[] | undefined;
  if (!servers?.some(({ url }) => url.startsWith('http'))) return root;
  return { ...root, servers: servers.map(({ url }) => ({ url: origin + new URL(url.replace(/[{}]/g, '')).pathname })) };
}

function thingsOf(things: Things, collection: string): Set<string> {
  const found = things.get(collection) ?? new Set<string>();
  things.set(collection, found);
  return found;
}

function singular(noun: string): string {
  return noun.replace(/ies$/, 'y').replace(/s$/, '');
}
