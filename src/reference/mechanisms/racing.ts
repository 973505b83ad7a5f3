import { clockPhase, gridLimiter } from './grid.ts';
import { type AnyLimiter, type Decision, type Deferred, SECOND, WINDOW } from './limiter.ts';

/**
 * Limiters that are right one request at a time and wrong when requests arrive at once, since other requests run between
 * two of their steps. All of them have fixed windows on whole minutes.
 */

type Answered = Decision | Deferred<Decision>;

interface Window {
  start: number;
  count: number;
}

/** Windows on whole minutes as a store keeps them, to be read and written in separate steps. */
class WindowStore {
  readonly #windows = new Map<string, Window>();

  /** The budget's window at this time; null where none has been created. */
  get(budget: string, now: number): Window | null {
    const window = this.#windows.get(budget);
    return window && now < window.start + WINDOW ? window : null;
  }

  set(budget: string, now: number, count: number): Window {
    const window = { start: startOf(now), count };
    this.#windows.set(budget, window);
    return window;
  }

  count(budget: string, now: number): number {
    return this.get(budget, now)?.count ?? 0;
  }
}

function startOf(now: number): number {
  return Math.floor(now / WINDOW) * WINDOW;
}

function decision(count: number, limit: number, now: number, accepted = count <= limit): Decision {
  const start = startOf(now);
  return { accepted, limit, remaining: Math.max(0, limit - count), reset: start + WINDOW, stamp: start };
}

function racing(store: WindowStore, decide: (budget: string, limit: number, now: number) => Answered): AnyLimiter {
  const peek = (budget: string, limit: number, now: number): Decision => {
    const count = store.count(budget, now);
    return decision(count, limit, now, count < limit);
  };
  return { decide, peek, refund() {} };
}

/** Reads the count, and a little later writes what it read plus one: updates in between are lost. */
export function readThenWriteLimiter(gap: number): AnyLimiter {
  const store = new WindowStore();
  return racing(store, (budget, limit, now) => {
    const count = store.count(budget, now) + 1;
    return {
      wait: gap,
      resume(later) {
        if (count <= limit) store.set(budget, later, count);
        return decision(count, limit, later);
      },
    };
  });
}

/** Checks the count, and a little later adds one to it whatever it is by then: the limit is overshot. */
export function checkThenIncrementLimiter(gap: number): AnyLimiter {
  const store = new WindowStore();
  return racing(store, (budget, limit, now) => {
    if (store.count(budget, now) >= limit) return decision(limit + 1, limit, now);
    return {
      wait: gap,
      resume(later) {
        const { count } = store.set(budget, later, store.count(budget, later) + 1);
        return decision(count, limit, later, true);
      },
    };
  });
}

/** Creates a window that is not there yet in two steps: all who find none create one, and only the last one's count stays. */
export function coldCreateLimiter(gap: number): AnyLimiter {
  const store = new WindowStore();
  return racing(store, (budget, limit, now) => {
    const window = store.get(budget, now);
    if (window) return decision(++window.count, limit, now);
    return {
      wait: gap,
      resume(later) {
        store.set(budget, later, 1);
        return decision(1, limit, later);
      },
    };
  });
}

/** Decides and tells by a count that is `lag` µs old: what was counted since is not seen. */
export function staleCountLimiter(lag: number): AnyLimiter {
  const counted = new Map<string, number[]>();
  const seen = (budget: string, now: number): number => {
    const times = (counted.get(budget) ?? []).filter((time) => time >= startOf(now));
    counted.set(budget, times);
    return times.filter((time) => time <= now - lag).length;
  };
  return {
    decide(budget, limit, now) {
      const count = seen(budget, now) + 1;
      if (count <= limit) counted.get(budget)?.push(now);
      return decision(count, limit, now);
    },
    peek(budget, limit, now) {
      const count = seen(budget, now);
      return decision(count, limit, now, count < limit);
    },
    refund() {},
  };
}

/** Two nodes that take turns, each with counters of its own. */
export function unsharedLimiter(): AnyLimiter {
  const nodes = [gridLimiter({ phase: clockPhase }), gridLimiter({ phase: clockPhase })] as const;
  let asked = 0;
  const next = () => nodes[asked++ % 2 === 0 ? 0 : 1];
  return {
    decide: (budget, limit, now) => next().decide(budget, limit, now),
    peek: (budget, limit, now) => next().peek(budget, limit, now),
    refund() {},
  };
}

/** Two nodes that take turns and tell each other what they have counted once a second. */
export function syncedLimiter(): AnyLimiter {
  const budgets = new Map<string, { start: number; second: number; shared: number; readonly own: [number, number] }>();
  let asked = 0;
  const enter = (budget: string, now: number) => {
    const second = Math.floor(now / SECOND);
    let state = budgets.get(budget);
    if (!state || state.start !== startOf(now)) {
      state = { start: startOf(now), second, shared: 0, own: [0, 0] };
      budgets.set(budget, state);
    }
    if (state.second !== second) {
      state.shared += state.own[0] + state.own[1];
      state.own.fill(0);
      state.second = second;
    }
    return state;
  };
  return {
    decide(budget, limit, now) {
      const state = enter(budget, now);
      const node = asked++ % 2 === 0 ? 0 : 1;
      const count = state.shared + state.own[node] + 1;
      if (count <= limit) state.own[node]++;
      return decision(count, limit, now);
    },
    peek(budget, limit, now) {
      const { shared, own } = enter(budget, now);
      const count = shared + own[0] + own[1];
      return decision(count, limit, now, count < limit);
    },
    refund() {},
  };
}

/** Counts first and reads the clock for the marker `gap` µs later, by when the window may be another. */
export function lateLabelLimiter(gap: number): AnyLimiter {
  const grid = gridLimiter({ phase: clockPhase });
  return {
    ...grid,
    decide(budget, limit, now) {
      const counted = grid.decide(budget, limit, now);
      return { wait: gap, resume: (later) => ({ ...counted, reset: startOf(later) + WINDOW }) };
    },
  };
}

/** Every tenth request counts `gap` µs after it has read the clock; where the window is another by then, it clears that one. */
export function clearingStragglerLimiter(gap: number): AnyLimiter {
  const store = new WindowStore();
  let asked = 0;
  const count = (budget: string, limit: number, now: number): Decision => {
    const window = store.set(budget, now, store.count(budget, now) + 1);
    return decision(window.count, limit, now);
  };
  return racing(store, (budget, limit, now) => {
    if (++asked % 10 !== 0) return count(budget, limit, now);
    return {
      wait: gap,
      resume(later) {
        if (startOf(later) !== startOf(now)) store.set(budget, later, 0);
        return count(budget, limit, later);
      },
    };
  });
}
