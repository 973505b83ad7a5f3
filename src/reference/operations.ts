import type { Due } from '../deployment/deployment.ts';
import type { Group, Kind } from '../trace/exchange.ts';
import type { Role } from './arrival.ts';
import type { Collection, Store } from './store.ts';

/** A request as the operations get it. */
export interface OperationRequest {
  readonly method: string;
  /** Path and query below the base URL. */
  readonly target: string;
  readonly body: string;
  /** Role of the key; null if no key was accepted. */
  readonly role: Role | null;
}

/** What a request asks for. It has been checked, but is carried out only when `perform` is called. */
export interface PlannedOperation {
  readonly group: Group | null;
  readonly kind: Kind;
  /** Its ID in the profile of this server (`profile.ts`); null if the path belongs to no operation. */
  readonly operation: string | null;
  readonly due: Due;
  /** Carries it out and returns the body of the answer. Call it only if `due` is 200. */
  readonly perform: () => unknown;
}

type Outcome = { readonly due: Due; readonly perform?: () => unknown };
type Fields = Readonly<Record<string, unknown>>;
type Handler = (store: Store, id: string, query: URLSearchParams, body: Fields | null) => Outcome;

interface Route {
  readonly method: string;
  readonly path: RegExp;
  readonly name: string;
  readonly group: Group;
  readonly kind: Kind;
  readonly handle: Handler;
}

function route(method: string, path: RegExp, name: string, group: Group, kind: Kind, handle: Handler): Route {
  return { method, path, name, group, kind, handle };
}

const BAD_REQUEST: Outcome = { due: 400 };
const NOT_FOUND: Outcome = { due: 404 };

/**
 * Finds and checks the operation that a request names. Paths match in any case and with or without a trailing slash. If
 * a request lacks permission and has a bad parameter, the missing permission decides. An unknown path or method is 404.
 */
export function planOperation(store: Store, request: OperationRequest): PlannedOperation {
  const [path = '', query = ''] = request.target.split('?', 2);
  const canonical = path.toLowerCase().replace(/\/+$/, '');
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  for (const route of ROUTES) {
    const match = route.method === method ? route.path.exec(canonical) : null;
    if (!match) continue;
    const { group, kind, name } = route;
    const outcome: Outcome =
      request.role === 'restricted' && kind === 'write'
        ? { due: 403 }
        : route.handle(store, match[1] ?? '', new URLSearchParams(query), fields(request.body));
    return { group, kind, operation: name, due: outcome.due, perform: outcome.perform ?? (() => null) };
  }
  const kind = method === 'GET' || method === 'OPTIONS' ? 'read' : 'write';
  return { group: null, kind, operation: null, due: 404, perform: () => null };
}

function collectionRoutes(group: 'categories' | 'labels'): readonly Route[] {
  const all = new RegExp(`^/${group}$`);
  const item = new RegExp(`^/${group}/([^/]+)$`);
  const one = group === 'labels' ? 'label' : 'category';
  const existing = (use: (collection: Collection, id: string) => unknown): Handler => {
    return (store, id) => (store[group].get(id) ? { due: 200, perform: () => use(store[group], id) } : NOT_FOUND);
  };
  return [
    route('GET', all, `list-${group}`, group, 'read', list(group)),
    route('POST', all, `create-${one}`, group, 'write', create(group)),
    route(
      'GET',
      item,
      `get-${one}`,
      group,
      'read',
      existing((collection, id) => collection.get(id)),
    ),
    route('PUT', item, `update-${one}`, group, 'write', rename(group)),
    route(
      'DELETE',
      item,
      `delete-${one}`,
      group,
      'write',
      existing((collection, id) => {
        collection.delete(id);
        return { deleted: id };
      }),
    ),
  ];
}

function list(group: 'categories' | 'labels'): Handler {
  return (store, _id, query) => {
    const page = wholeNumber(query.get('page'), 1, 1_000_000);
    const size = wholeNumber(query.get('page_size'), 20, 100);
    if (page === null || size === null) return BAD_REQUEST;
    return { due: 200, perform: () => ({ page, items: store[group].page(page, size) }) };
  };
}

function create(group: 'categories' | 'labels'): Handler {
  return (store, _id, _query, body) => {
    const name = nameIn(body);
    return name === null ? BAD_REQUEST : { due: 200, perform: () => store[group].create(name) };
  };
}

function rename(group: 'categories' | 'labels'): Handler {
  return (store, id, _query, body) => {
    if (!store[group].get(id)) return NOT_FOUND;
    const name = nameIn(body);
    return name === null ? BAD_REQUEST : { due: 200, perform: () => store[group].rename(id, name) };
  };
}

const search: Handler = (store, _id, _query, body) => {
  const text = body?.text;
  if (typeof text !== 'string') return BAD_REQUEST;
  return { due: 200, perform: () => ({ items: store.categories.page(1, 20, text) }) };
};

const updateService: Handler = (store, _id, _query, body) => {
  const { name = store.service.name, unit = store.service.unit } = body ?? {};
  if (!body || typeof name !== 'string' || (unit !== 'cm' && unit !== 'in')) return BAD_REQUEST;
  return {
    due: 200,
    perform: () => {
      store.service = { name, unit };
      return store.service;
    },
  };
};

const ROUTES: readonly Route[] = [
  route('GET', /^\/service$/, 'get-service', 'service', 'read', (store) => ({
    due: 200,
    perform: () => store.service,
  })),
  route('PUT', /^\/service$/, 'update-service', 'service', 'write', updateService),
  route('GET', /^\/service\/failure$/, 'get-service', 'service', 'read', () => ({ due: 500 })),
  route('POST', /^\/categories\/search$/, 'search-categories', 'categories', 'read', search),
  ...collectionRoutes('categories'),
  ...collectionRoutes('labels'),
];

/** The body as a JSON object; null if it is not one. */
function fields(body: string): Fields | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

function nameIn(body: Fields | null): string | null {
  const name = body?.name;
  return typeof name === 'string' && name.length >= 1 && name.length <= 200 ? name : null;
}

/** An integer from 1 to `highest`; null if the text is not one. */
function wholeNumber(text: string | null, preset: number, highest: number): number | null {
  if (text === null) return preset;
  const value = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  return value >= 1 && value <= highest ? value : null;
}
