import type { Due } from '../deployment/deployment.ts';
import { jsonOf } from '../profile/json.ts';
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

type Fields = Readonly<Record<string, unknown>>;

/** What an operation is given: the ID in its path, if it has one, its query, and its body. */
interface Given {
  readonly store: Store;
  readonly id: string;
  readonly query: URLSearchParams;
  readonly body: Fields | null;
}

/** The status with which a request is refused, or how it is carried out. */
type Outcome = Exclude<Due, 200> | (() => unknown);
type Handler = (given: Given) => Outcome;

type Route = ReturnType<typeof route>;

function route(method: string, path: string, name: string, group: Group, kind: Kind, handle: Handler) {
  return { method, path: new RegExp(`^${path}$`), name, group, kind, handle };
}

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
    const given = { store, id: match[1] ?? '', query: new URLSearchParams(query), body: fields(request.body) };
    const outcome = request.role === 'restricted' && kind === 'write' ? 403 : route.handle(given);
    const planned = { group, kind, operation: name };
    if (typeof outcome === 'number') return { ...planned, due: outcome, perform: nothing };
    return { ...planned, due: 200, perform: outcome };
  }
  const kind = method === 'GET' || method === 'OPTIONS' ? 'read' : 'write';
  return { group: null, kind, operation: null, due: 404, perform: nothing };
}

function nothing(): null {
  return null;
}

function collectionRoutes(group: 'categories' | 'labels'): readonly Route[] {
  const [all, item] = [`/${group}`, `/${group}/([^/]+)`];
  const one = group === 'labels' ? 'label' : 'category';
  const existing = (use: (collection: Collection, id: string, body: Fields | null) => Outcome): Handler => {
    return ({ store, id, body }) => (store[group].get(id) ? use(store[group], id, body) : 404);
  };
  const list: Handler = ({ store, query }) => {
    const page = wholeNumber(query.get('page'), 1, 1_000_000);
    const size = wholeNumber(query.get('page_size'), 20, 100);
    return page === null || size === null ? 400 : () => ({ page, items: store[group].page(page, size) });
  };
  const create: Handler = ({ store, body }) => {
    const name = nameIn(body);
    return name === null ? 400 : () => store[group].create(name);
  };
  const get = existing((collection, id) => () => collection.get(id));
  const rename = existing((collection, id, body) => {
    const name = nameIn(body);
    return name === null ? 400 : () => collection.rename(id, name);
  });
  const remove = existing((collection, id) => () => {
    collection.delete(id);
    return { deleted: id };
  });
  return [
    route('GET', all, `list-${group}`, group, 'read', list),
    route('POST', all, `create-${one}`, group, 'write', create),
    route('GET', item, `get-${one}`, group, 'read', get),
    route('PUT', item, `update-${one}`, group, 'write', rename),
    route('DELETE', item, `delete-${one}`, group, 'write', remove),
  ];
}

const search: Handler = ({ store, body }) => {
  const text = body?.text;
  return typeof text === 'string' ? () => ({ items: store.categories.page(1, 20, text) }) : 400;
};

const getService: Handler = ({ store }) => {
  return () => store.service;
};

const updateService: Handler = ({ store, body }) => {
  const { name = store.service.name, unit = store.service.unit } = body ?? {};
  if (!body || typeof name !== 'string' || (unit !== 'cm' && unit !== 'in')) return 400;
  return () => {
    store.service = { name, unit };
    return store.service;
  };
};

const ROUTES: readonly Route[] = [
  route('GET', '/service', 'get-service', 'service', 'read', getService),
  route('PUT', '/service', 'update-service', 'service', 'write', updateService),
  route('GET', '/service/failure', 'get-service', 'service', 'read', () => 500),
  route('POST', '/categories/search', 'search-categories', 'categories', 'read', search),
  ...collectionRoutes('categories'),
  ...collectionRoutes('labels'),
];

/** The body as a JSON object; null if it is not one. */
function fields(body: string): Fields | null {
  const value = jsonOf(body);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
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
