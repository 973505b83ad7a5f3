import type { IncomingMessage } from 'node:http';
import type { Fields } from '../../src/init/openapi/document.ts';
import type { Api } from '../../src/init/openapi/operations.ts';
import { schemaOf } from '../../src/init/openapi/schema.ts';

/** The key of a request; null if it has none. */
export function keyOf({ headers }: IncomingMessage): string | null {
  const own = headers['x-api-key'];
  if (typeof own === 'string' && own !== '') return own;
  return /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? null;
}

export async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** Whether two content types are equal except for their parameters. */
export function sameType(given: string, wanted: string): boolean {
  return given.split(';')[0]?.trim() === wanted.split(';')[0];
}

/** A body as fields; undefined if it cannot be read. */
export function bodyOf(contentType: string, text: string): unknown {
  try {
    if (/json/.test(contentType)) return JSON.parse(text);
  } catch {
    return undefined;
  }
  if (/urlencoded/.test(contentType)) return Object.fromEntries(new URLSearchParams(text));
  const boundary = /boundary="?([^";]+)/.exec(contentType)?.[1];
  if (boundary === undefined || !text.endsWith(`--${boundary}--\r\n`)) return undefined;
  return Object.fromEntries(
    text
      .split(`--${boundary}`)
      .slice(1, -1)
      .map((part) => {
        const [head = '', ...content] = part.split('\r\n\r\n');
        return [/name="([^"]+)"/.exec(head)?.[1] ?? '', content.join('\r\n\r\n').replace(/\r\n$/, '')];
      }),
  );
}

/** A parameter of the query in the document's style; undefined if it is absent. */
export function queryValue(query: URLSearchParams, name: string, type: string | null, explode: boolean): unknown {
  if (type === 'array')
    return query.has(name) ? (explode ? query.getAll(name) : query.get(name)?.split(',')) : undefined;
  if (type !== 'object') return query.get(name) ?? undefined;
  const deep = [...query].flatMap(([key, value]) => {
    const field = key.startsWith(`${name}[`) ? key.slice(name.length + 1, -1) : null;
    return field === null ? [] : [[field, value] as const];
  });
  return Object.fromEntries(deep.length > 0 ? deep : [...query]);
}

/** The schema for checking a request, without references and without fields that only answers have. */
export function requestSchema({ resolve }: Api, node: unknown, depth = 0): Fields {
  const { nullable, properties, items, required, $schema, allOf, oneOf, anyOf, example, examples, ...fields } =
    schemaOf(resolve, node);
  if (depth > 8) return {};
  const own = Object.entries((properties ?? {}) as Fields).filter(
    ([, each]) => schemaOf(resolve, each).readOnly !== true,
  );
  const names = own.map(([name]) => name);
  const schema = {
    ...fields,
    ...(properties
      ? {
          properties: Object.fromEntries(
            own.map(([name, each]) => [name, requestSchema({ resolve } as Api, each, depth + 1)]),
          ),
        }
      : {}),
    ...(Array.isArray(required) ? { required: required.filter((name) => names.includes(String(name))) } : {}),
    ...(items ? { items: requestSchema({ resolve } as Api, items, depth + 1) } : {}),
    ...(fields.type === 'file' ? { type: 'string' } : {}),
  };
  return nullable === true ? { anyOf: [schema, { type: 'null' }] } : schema;
}
