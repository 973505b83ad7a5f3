import type { Api, ApiOperation } from '../../src/init/openapi/operations.ts';

/** The operation of a document for a path; null if there is none. */
export function operationAt(api: Api, method: string, pathname: string, prefix: string): ApiOperation | null {
  if (!pathname.startsWith(prefix)) return null;
  // Like common routers, it accepts the root with and without its slash.
  const path = pathname.slice(prefix.length).replace(/^(\/api\/v1)\/$/, '$1') || '/';
  const fitting = api.operations.filter((each) => each.method === method && pattern(each.path).test(path));
  return fitting.sort((a, b) => a.path.split('{').length - b.path.split('{').length)[0] ?? null;
}

function pattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{[^{}]+\}/g, '([^/]+)')}$`);
}

/** The parameters of a path that pick from a collection, with their values in an actual one. */
export function itemsIn(template: string, actual?: string) {
  const parts = template.split('/');
  const values = actual?.split('/') ?? [];
  return parts.flatMap((part, index) => {
    const name = /^\{(.+)\}$/.exec(part)?.[1];
    const collection = parts[index - 1];
    if (name === undefined || collection === undefined) return [];
    return [{ name, collection: collection.toLowerCase(), value: decodeURIComponent(values[index] ?? '') }];
  });
}

/** The last part of a path that is not a parameter. */
export function lastWord(path: string): string {
  return (path.split('/').findLast((part) => part !== '' && !part.startsWith('{')) ?? '').toLowerCase();
}
