import type { Clock } from '../clock/clock.ts';
import type { Keys, Profile } from '../profile/profile.ts';
import { type Random, seededRandom } from '../random/random.ts';
import type { Exchange } from '../trace/exchange.ts';
import type { Intent, NoteLine } from '../trace/trace.ts';
import type { Client } from './http/client.ts';
import type { Answer, OutgoingRequest } from './http/message.ts';
import { makeRenderer } from './renderer.ts';
import { openSession, type Session } from './session.ts';

export const KEYS: Keys = {
  full: ['good-key-one', 'good-key-two', 'good-key-three'],
  restricted: 'lesser-key',
  revoked: null,
};

/** Choices of a server that stores things, where the specification leaves them open. */
export interface TargetOptions {
  readonly seed: number;
  /** Which of two faults decides: whether the server checks the thing before the key. */
  readonly thingsFirst: boolean;
  /** Whether each key has its own things. */
  readonly perKey: boolean;
  /** What a POST with a name that exists gets: another thing, the same one, or a 400. */
  readonly sameName: 'another' | 'same' | 'refused';
  /** Requests that are answered 500: a defect. */
  readonly failsOn?: (request: OutgoingRequest) => boolean;
}

interface Item {
  readonly id: string;
  readonly name: string;
  published: boolean;
}

/** Fixed things that exist from the start. */
export const STOCK: readonly string[] = ['tall', 'wide'];

/**
 * A conforming server that stores things, without limits. `/{group}` lists and creates things; `/{group}/{id}` supports
 * PUT, GET and DELETE; `/{group}/{id}/publish` succeeds once; `/{group}/{id}/archive` hides a thing until the next PUT.
 */
class Target {
  readonly options: TargetOptions;
  readonly stores = new Map<string, Map<string, Item>>();
  #count = 0;

  constructor(options: TargetOptions) {
    this.options = options;
  }

  answer(request: OutgoingRequest): { readonly status: number; readonly body: unknown } {
    if (this.options.failsOn?.(request)) return { status: 500, body: {} };
    const [path = '', query = ''] = request.target.split('?');
    const [, group = '', id, action] = path.split('/');
    const key = keyOf(request);
    const role = key !== null && KEYS.full.includes(key) ? 'full' : key === KEYS.restricted ? 'restricted' : null;
    const owners = this.options.perKey ? (role === 'full' ? [key] : KEYS.full) : ['all'];
    const stores = owners.map((owner) => this.#itemsOf(`${owner} ${group}`));
    // Requests without things of their own are checked against the things of all keys: one success is enough.
    const results = stores.map((items) => this.#outcome(items, request, id, action, query));
    const result =
      results.find(({ status }) => status === 200) ?? results.find(({ status }) => status !== 404) ?? results[0];
    if (!result) throw new RangeError('nobody owns anything');
    if (this.options.thingsFirst && result.status !== 200) return result;
    if (role === null) return { status: 401, body: {} };
    if (role === 'restricted' && request.method !== 'GET') return { status: 403, body: {} };
    if (result.status === 200) return { status: 200, body: result.perform() };
    return result;
  }

  #outcome(
    items: Map<string, Item>,
    request: OutgoingRequest,
    id: string | undefined,
    action: string | undefined,
    query: string,
  ): { readonly status: number; readonly body: unknown; readonly perform: () => unknown } {
    const ok = (perform: () => unknown) => ({ status: 200, body: null, perform });
    const not = (status: number) => ({ status, body: {}, perform: () => null });
    if (query.includes('page=-1')) return not(400);
    const { method } = request;
    if (id === undefined) {
      if (method === 'GET') return ok(() => [...items.values()]);
      const name = nameIn(request.body?.text);
      if (name === null) return not(400);
      const same = [...items.values()].find((each) => each.name === name);
      if (same && this.options.sameName === 'refused') return not(400);
      if (same && this.options.sameName === 'same') return ok(() => same);
      return ok(() => {
        this.#count += 1;
        const item = { id: `n${this.#count}`, name, published: false };
        items.set(item.id, item);
        return item;
      });
    }
    if (method === 'PUT') {
      const item = { id, name: id, published: false };
      return nameIn(request.body?.text) === null ? not(400) : ok(() => items.set(id, item) && item);
    }
    const item = items.get(id);
    if (!item) return not(404);
    if (method === 'DELETE') return ok(() => items.delete(id));
    if (method === 'GET') return ok(() => item);
    if (action === 'archive') return ok(() => items.delete(id));
    if (action !== 'publish') return not(404);
    if (item.published) return not(400);
    return ok(() => {
      item.published = true;
      return item;
    });
  }

  #itemsOf(name: string): Map<string, Item> {
    const known =
      this.stores.get(name) ?? new Map(STOCK.map((id) => [id, { id, name: `the ${id} one`, published: false }]));
    this.stores.set(name, known);
    return known;
  }
}

function keyOf({ headers }: OutgoingRequest): string | null {
  const fields = new Map(headers.map(([name, value]) => [name.toLowerCase(), value]));
  const bearer = /^Bearer (.+)$/.exec(fields.get('authorization') ?? '')?.[1];
  return fields.get('x-api-key') ?? bearer ?? null;
}

function nameIn(text: string | undefined): string | null {
  const found = /"name":"([^"]+)"/.exec(text ?? '')?.[1];
  return found ?? null;
}

/** A clock that moves by 1 µs whenever it is read, and never waits. */
function idleClock(): Clock {
  let time = 0;
  return {
    scale: 1,
    epoch: Date.UTC(2026, 10, 21) * 1000,
    now: () => ++time,
    async sleepUntil(until, signal) {
      signal?.throwIfAborted();
      await turns(1);
      time = Math.max(time, until);
    },
  };
}

async function turns(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Decides some turns of the event loop after the request, and answers some turns later. */
function clientOf(target: Target, clock: Clock, random: Random, checkOneConnection: () => void): Client {
  const few = (): number => Math.floor(random() * 4);
  const send = async (request: OutgoingRequest): Promise<Answer> => {
    const sent = clock.now();
    await turns(few());
    const { status, body } = target.answer(request);
    await turns(few());
    const writes = request.method !== 'GET';
    const headers = {
      limit: [writes ? '30' : '100'],
      remaining: [writes ? '9' : '90'],
      reset: ['1795219260'],
      date: [],
      retryAfter: [],
      other: {},
    };
    const rest = { failure: null, detail: null, headers, connection: 1, body: JSON.stringify(body), fields: {} };
    return { sent, answered: clock.now(), status, ...rest };
  };
  return {
    check: (_, delivery) => delivery === 'pipelined' && checkOneConnection(),
    send,
    burst: (requests) => Promise.all(requests.map(send)),
    close: async () => {},
    opened: 1,
  };
}

/**
 * A session against such a server, and its recording.
 *
 * @param checkOneConnection throws if a burst cannot be sent on one connection
 */
export function openStatefulSession(
  profile: Profile,
  options: TargetOptions,
  checkOneConnection = (): void => {},
): { session: Session; exchanges: Exchange[]; notes: NoteLine[] } {
  const clock = idleClock();
  const exchanges: Exchange[] = [];
  const notes: NoteLine[] = [];
  const session = openSession({
    profile,
    keys: KEYS,
    client: clientOf(new Target(options), clock, seededRandom(options.seed, 'latency'), checkOneConnection),
    clock,
    recording: {
      intend: (_: readonly Intent[]) => {},
      record: (exchange) => exchanges.push(exchange),
      note: (code, experiment, text) => notes.push({ type: 'note', time: clock.now(), code, experiment, text }),
    },
    renderer: makeRenderer(clock, options.seed),
    redact: (text) => text,
    seed: options.seed,
    controller: new AbortController(),
    onExchange: () => {},
  });
  return { session, exchanges, notes };
}
