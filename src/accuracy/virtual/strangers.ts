import { SECOND, WINDOW } from '../../deployment/deployment.ts';
import { type Random, seededRandom } from '../../random/random.ts';
import type { Behaviour, Times } from '../../reference/behaviour.ts';
import { anchoredWindows, gridWindows } from '../../reference/mechanisms/fixed-window.ts';
import type { AnyLimiter, Limiter } from '../../reference/mechanisms/limiter.ts';
import { limiterOf } from '../../reference/mechanisms/mechanics.ts';
import { phaseOf } from '../../reference/mechanisms/phase.ts';

/** A limiter that no operator describes. */
export interface Stranger {
  readonly sentence: string;
  readonly change: (times: Times) => Partial<Behaviour>;
}

const onClock = (): Limiter => limiterOf(gridWindows(phaseOf('clock', 0)));

/** Mechanisms outside of the operators, for which the judge has no name. */
export const STRANGERS = {
  'random eviction': {
    sentence: 'Counters live in a cache of three budgets: one of those that are not in use is thrown out at random.',
    change: ({ started }) => both(() => evicting(3, seededRandom(started >>> 0, 'eviction'))),
  },
  'count-min sketch': {
    sentence: 'Budgets are counted in a sketch of two rows of five cells, in which some share their cells.',
    change: () => both(() => sketch(2, 5)),
  },
  sampling: {
    sentence: 'One request in four is counted, as four.',
    change: ({ started }) => both(() => sampling(4, seededRandom(started >>> 0, 'sampling'))),
  },
  'two limiters': {
    sentence:
      'A gateway with windows on whole minutes stands before a service whose windows begin with the first request.',
    change: () => both(() => inARow(onClock(), limiterOf(anchoredWindows()))),
  },
  'leader change': {
    sentence: 'Forty seconds into the run another node takes over, with the counts of ten seconds before.',
    change: ({ run }) => both(() => leaderChange(run + 40 * SECOND, 10 * SECOND)),
  },
  gossip: {
    sentence: 'Three nodes tell one another half of what they have counted each second.',
    change: ({ started }) => both(() => gossip(3, seededRandom(started >>> 0, 'gossip'))),
  },
  leases: {
    sentence: 'Three nodes take ten requests at a time from a common quota, and each knows only what it took.',
    change: ({ started }) => both(() => leasing(3, 10, seededRandom(started >>> 0, 'leases'))),
  },
  sweep: {
    sentence:
      'On each whole minute, which the marker tells, a job clears one key after the other, each in two seconds.',
    change: () => both(sweeping),
  },
  'warm-up': {
    sentence:
      'A budget that was not used for a minute starts with half of the limit, and has all of it after ten seconds.',
    change: () => both(warmUp),
  },
} satisfies Readonly<Record<string, Stranger>>;

export type StrangerName = keyof typeof STRANGERS;

function both(make: () => AnyLimiter): Partial<Behaviour> {
  return { limiters: { read: make(), write: make() } };
}

/** A limiter that differs from another only in how it decides, and refunds nothing. */
function deciding(limiter: Limiter, decide: Limiter['decide']): Limiter {
  return { ...limiter, decide, refund() {} };
}

function evicting(capacity: number, random: Random): Limiter {
  const budgets = new Map<string, Limiter>();
  const enter = (budget: string): Limiter => {
    const limiter = budgets.get(budget) ?? limiterOf(anchoredWindows());
    budgets.set(budget, limiter);
    const others = [...budgets.keys()].filter((each) => each !== budget);
    const out = others[Math.floor(random() * others.length)];
    if (budgets.size > capacity && out !== undefined) budgets.delete(out);
    return limiter;
  };
  return {
    decide: (budget, limit, now) => enter(budget).decide(budget, limit, now),
    peek: (budget, limit, now) => enter(budget).peek(budget, limit, now),
    refund() {},
  };
}

function sketch(rows: number, columns: number): Limiter {
  const cells = onClock();
  const cellsOf = (budget: string): string[] =>
    Array.from({ length: rows }, (_, row) => {
      let hash = 17 * (row + 1);
      for (const character of budget) hash = (Math.imul(hash, 31) + character.charCodeAt(0) * (row + 1)) >>> 0;
      return `${row} ${hash % columns}`;
    });
  const least = (budget: string, limit: number, now: number) =>
    cellsOf(budget)
      .map((cell) => cells.peek(cell, limit, now))
      .reduce((best, each) => (each.remaining > best.remaining ? each : best));
  return deciding({ ...cells, peek: least }, (budget, limit, now) => {
    const { accepted } = least(budget, limit, now);
    for (const cell of accepted ? cellsOf(budget) : []) cells.decide(cell, limit, now);
    return { ...least(budget, limit, now), accepted };
  });
}

function sampling(oneIn: number, random: Random): Limiter {
  const counting = onClock();
  return deciding(counting, (budget, limit, now) =>
    counting.decide(budget, limit, now, { weight: random() * oneIn < 1 ? oneIn : 0 }),
  );
}

function inARow(first: Limiter, second: Limiter): Limiter {
  return deciding(second, (budget, limit, now) => {
    const gateway = first.decide(budget, limit, now);
    return gateway.accepted ? second.decide(budget, limit, now) : gateway;
  });
}

function leaderChange(at: number, behind: number): Limiter {
  const leader = onClock();
  const follower = onClock();
  return deciding(
    { ...leader, peek: (budget, limit, now) => (now < at ? leader : follower).peek(budget, limit, now) },
    (budget, limit, now) => {
      if (now >= at) return follower.decide(budget, limit, now);
      if (now < at - behind) follower.decide(budget, limit, now);
      return leader.decide(budget, limit, now);
    },
  );
}

function gossip(count: number, random: Random): Limiter {
  const nodes = Array.from({ length: count }, onClock);
  const untold: { readonly budget: string; readonly limit: number; readonly node: number }[] = [];
  let second = 0;
  let asked = 0;
  const talk = (now: number): void => {
    if (Math.floor(now / SECOND) === second) return;
    second = Math.floor(now / SECOND);
    for (const { budget, limit, node } of untold.splice(0)) {
      for (const [index, other] of nodes.entries()) {
        if (index !== node && random() < 0.5) other.decide(budget, limit, now);
      }
    }
  };
  const [first = onClock()] = nodes;
  return deciding(first, (budget, limit, now) => {
    talk(now);
    const node = asked++ % count;
    const decision = (nodes[node] ?? first).decide(budget, limit, now);
    if (decision.accepted) untold.push({ budget, limit, node });
    return decision;
  });
}

function leasing(nodes: number, size: number, random: Random): Limiter {
  const quota = onClock();
  const leases = new Map<string, { readonly reset: number; left: number }>();
  return deciding(quota, (budget, limit, now) => {
    const name = `${budget} ${Math.floor(random() * nodes)}`;
    const { reset } = quota.peek(budget, limit, now);
    const known = leases.get(name);
    const lease = known?.reset === reset ? known : { reset, left: 0 };
    leases.set(name, lease);
    for (let taken = 0, wanted = lease.left === 0 ? size : 0; taken < wanted; taken++) {
      if (!quota.decide(budget, limit, now).accepted) break;
      lease.left++;
    }
    const accepted = lease.left > 0;
    if (accepted) lease.left--;
    const whole = quota.peek(budget, limit, now);
    return { ...whole, accepted, remaining: accepted ? whole.remaining + lease.left : 0 };
  });
}

function sweeping(): Limiter {
  const told = onClock();
  const late = Array.from({ length: 4 }, (_, at) => limiterOf(gridWindows(phaseOf('process', 2 * at * SECOND))));
  return deciding(told, (budget, limit, now) => {
    const limiter = late[(Number.parseInt(budget.replace(/\D/g, ''), 10) || 1) - 1] ?? told;
    return { ...limiter.decide(budget, limit, now), reset: told.peek(budget, limit, now).reset };
  });
}

function warmUp(): Limiter {
  const counting = limiterOf(anchoredWindows());
  const begun = new Map<string, { start: number; last: number }>();
  return deciding(counting, (budget, limit, now) => {
    let state = begun.get(budget);
    if (!state || now - state.last > WINDOW) state = { start: now, last: now };
    state.last = now;
    begun.set(budget, state);
    const share = Math.min(1, 0.5 + (now - state.start) / (20 * SECOND));
    return counting.decide(budget, Math.floor(limit * share), now);
  });
}
