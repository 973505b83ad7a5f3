import { LIMITS } from '../catalogue/limits.ts';
import { clocksOf } from '../oracle/make-history.ts';
import { inferMarkers, MARKERS_READ } from '../oracle/marker.ts';
import type { MarkerReading, Markers } from '../oracle/marker-reading.ts';
import { singleInteger } from '../oracle/single-integer.ts';
import type { Condensed, CondensedBudgets } from '../trace/condensed.ts';
import { budgetKey, type CapturedHeaders, type Exchange, type Kind } from '../trace/exchange.ts';
import { parseHttpDate } from './conditions.ts';
import { integerOf, LARGE } from './fields.ts';
import { Histogram } from './histogram.ts';
import { BudgetStream } from './limits/budget-stream.ts';
import { offsetOf } from './limits/budgets.ts';
import { FEWEST_AT_ONCE } from './limits/witnesses.ts';
import { bySent, isPlain } from './view.ts';

/** A run of no more exchanges is judged whole: they take some 50 MB. No more are kept of a longer one, either. */
export const MOST_WHOLE = 250_000;

/** How much of a long run is kept. */
export interface Room {
  /** Budgets that are kept whole in any case: a report plots no more. */
  readonly budgets: number;
  /** Exchanges of the budgets that are kept. */
  readonly exchanges: number;
}

export const ROOM: Room = { budgets: 16, exchanges: MOST_WHOLE };

/** Odd answers that are kept of budgets for which there is no room: each kind of them is shown once. */
const MOST_ODD = 10_000;

/** Header values that are remembered: a million answers mostly have few thousand different ones. */
const MOST_READ = 20_000;

/** What of a long run is kept. */
export interface Condensing {
  readonly condensed: Condensed;
  /** What was kept as it came: `seq` rises. */
  readonly kept: readonly Exchange[];
  /** Budgets (`key-1 read`) that nothing explained, of which all is needed: it has to be gathered in a second pass. */
  readonly missing: ReadonlySet<string>;
}

/** What the headers of an answer say, were they as they should be; `date` in µs since the Unix epoch. */
interface Said {
  readonly limit: bigint;
  readonly remaining: number;
  readonly reset: number;
  readonly date: number | null;
}

/**
 * Takes the exchanges of a load run one by one, and keeps of each budget that fixed windows explain no more than sums.
 * What a budget takes in memory is what its two open windows need. Budgets that are not explained, or of which any
 * answer is not as it should be, are to be judged from their exchanges: these are few, or the target is defective and
 * few of them say it.
 */
export class Condenser {
  readonly #epoch: number;
  readonly #room: Room;
  readonly #sample: Exchange[] = [];
  #markers: Markers | null = null;
  readonly #said: Readonly<Record<Kind, Map<CapturedHeaders, Said | null>>> = { read: new Map(), write: new Map() };
  readonly #budgets: Readonly<Record<Kind, Map<string, BudgetStream>>> = { read: new Map(), write: new Map() };
  readonly #whole = new Set<BudgetStream>();
  readonly #kept: Exchange[] = [];
  readonly #odd: Exchange[] = [];
  readonly #connections = new Set<number>();
  readonly #times = { first: Infinity, last: -Infinity, answered: -Infinity };
  readonly #dates = { answered: -Infinity, sent: Infinity };
  /** When the last exchange was sent of which there is nothing to be said. */
  #last = -Infinity;
  readonly #latency = new Histogram();
  #contradicted = 0;

  /**
   * @param epoch wall clock in µs since the Unix epoch at time 0 of the run's clock
   */
  constructor(epoch: number, room = ROOM) {
    this.#epoch = epoch;
    this.#room = room;
  }

  /** The next exchange in order of sending. */
  take(exchange: Exchange): void {
    if (this.#markers) this.#fold(exchange, this.#markers);
    else if (this.#sample.push(exchange) === MARKERS_READ) this.#begin();
  }

  /** How many budgets something contradicts so far: they are worth a look. */
  contradicted(): number {
    if (!this.#markers && this.#sample.length > 0) this.#begin();
    return this.#contradicted;
  }

  /**
   * What is known once all have come, or in between.
   *
   * @param final nothing more will come
   */
  finish(final = true): Condensing {
    const markers = this.#markers ?? this.#begin();
    const offset = offsetOf({ dates: this.#dates }, this.#epoch);
    const groups = new Map<string, CondensedBudgets>();
    const missing = new Set<string>();
    const left = new Set<string>();
    const keys = new Set<string>();
    const beyond = new Set<Kind>();
    const sums = { accepted: { read: 0, write: 0 }, refused: { read: 0, write: 0 } };
    let room = this.#room.exchanges - this.#kept.length;
    for (const kind of ['read', 'write'] as const) {
      for (const [key, budget] of this.#budgets[kind]) {
        if (this.#whole.has(budget)) continue;
        const mechanism = final
          ? budget.finish(clocksOf(markers[kind], offset))?.mechanism
          : budget.explained
            ? 'grid'
            : undefined;
        if (!mechanism) {
          room -= budget.requests;
          (room >= 0 ? missing : left).add(`${key} ${kind}`);
          if (room >= 0) continue;
        } else group(groups, budget, mechanism);
        if (budget.accepted > 0) keys.add(key);
        if (budget.accepted > LIMITS[kind]) beyond.add(kind);
        sums.accepted[kind] += budget.accepted;
        sums.refused[kind] += budget.refused;
      }
    }
    const odd = this.#odd.filter(({ key, kind }) => left.has(`${key} ${kind}`));
    return {
      condensed: {
        ...sums,
        budgets: [...groups.values()],
        keys,
        connections: this.#connections,
        beyond,
        last: this.#last,
        times: this.#times,
        dates: this.#dates,
        latency: this.#latency.summary,
        sample: this.#sample,
        left,
      },
      kept: odd.length === 0 ? this.#kept : [...this.#kept, ...odd].sort(bySent),
      missing,
    };
  }

  #begin(): Markers {
    const markers = inferMarkers(this.#sample, this.#epoch);
    this.#markers = markers;
    for (const exchange of this.#sample) this.#fold(exchange, markers);
    return markers;
  }

  #fold(exchange: Exchange, markers: Markers): void {
    const { sent, answered, kind, headers, connection } = exchange;
    const marker = markers[kind];
    const said = this.#read(headers, kind, marker);
    this.#connections.add(connection);
    const times = this.#times;
    if (sent < times.first) times.first = sent;
    if (sent > times.last) times.last = sent;
    if (answered !== null) {
      this.#latency.add(answered - sent);
      if (answered > times.answered) times.answered = answered;
      const date = said?.date ?? parseHttpDate(headers.date);
      if (date !== null) {
        if (date - answered > this.#dates.answered) this.#dates.answered = date - answered;
        if (date - sent < this.#dates.sent) this.#dates.sent = date - sent;
      }
    }
    const key = budgetKey(exchange);
    if (key === null) {
      this.#kept.push(exchange);
      return;
    }
    const budget = this.#budgetOf(key, kind, marker);
    budget.requests += 1;
    if (this.#whole.has(budget)) this.#kept.push(exchange);
    const before = budget.explained;
    if (answered !== null && said && isUsual(exchange, said)) {
      this.#last = sent;
      budget.push(sent, answered, exchange.status === 200, said.remaining, said.reset);
    } else {
      budget.contradict();
      if (this.#odd.length < MOST_ODD && !this.#whole.has(budget)) this.#odd.push(exchange);
    }
    if (before && !budget.explained) this.#contradicted += 1;
  }

  #budgetOf(key: string, kind: Kind, marker: MarkerReading): BudgetStream {
    const known = this.#budgets[kind].get(key);
    if (known) return known;
    const made = new BudgetStream(kind, marker.unit ?? 0);
    this.#budgets[kind].set(key, made);
    if (this.#whole.size < this.#room.budgets) this.#whole.add(made);
    return made;
  }

  /** What the headers say; null where one of them is not as it should be. */
  #read(headers: CapturedHeaders, kind: Kind, marker: MarkerReading): Said | null {
    const before = this.#said[kind];
    const known = before.get(headers);
    if (known !== undefined) return known;
    const limit = integerOf(headers.limit);
    const remaining = singleInteger(headers.remaining);
    const reset = marker.read(headers.reset);
    const large = (integerOf(headers.reset) ?? 0n) >= LARGE;
    const date = parseHttpDate(headers.date);
    const said =
      limit !== null && remaining !== null && reset !== null && large ? { limit, remaining, reset, date } : null;
    if (before.size === MOST_READ) before.clear();
    before.set(headers, said);
    return said;
  }
}

/**
 * Nothing to be said of it but that it was counted or refused. What takes a thing away may bear on the answer to
 * another request.
 */
function isUsual(exchange: Exchange, { limit, remaining }: Said): boolean {
  const { status, kind, operation, method, truncated } = exchange;
  if (!isPlain(exchange) || operation === null || truncated || method === 'DELETE') return false;
  return limit === BigInt(LIMITS[kind]) && (status === 200 || (status === 429 && remaining === 0));
}

function group(groups: Map<string, CondensedBudgets>, budget: BudgetStream, mechanism: 'grid' | 'anchored'): void {
  const { kind, accepted, refused, atOnce, windows } = budget;
  const name = `${kind} ${mechanism} ${refused > 0} ${atOnce >= FEWEST_AT_ONCE}`;
  const sum = groups.get(name);
  groups.set(name, {
    kind,
    mechanism,
    budgets: (sum?.budgets ?? 0) + 1,
    accepted: (sum?.accepted ?? 0) + accepted,
    refused: (sum?.refused ?? 0) + refused,
    atOnce: Math.max(sum?.atOnce ?? 0, atOnce),
    windows: (sum?.windows ?? 0) + windows,
  });
}
