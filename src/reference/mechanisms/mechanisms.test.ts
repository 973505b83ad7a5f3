import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anchoredLimiter } from './anchored.ts';
import { faultyLogLimiter } from './faulty-sliding.ts';
import { faultyWindowLimiter } from './faulty-window.ts';
import { clockPhase, firstRequestPhase, gridLimiter, hashPhase, sharedPhase } from './grid.ts';
import { type AnyLimiter, type Decision, isDeferred, type Limiter, SECOND, WINDOW } from './limiter.ts';
import {
  checkThenIncrementLimiter,
  clearingStragglerLimiter,
  coldCreateLimiter,
  lateLabelLimiter,
  readThenWriteLimiter,
} from './racing.ts';
import { slidingCounterLimiter } from './sliding-counter.ts';
import { slidingLogLimiter } from './sliding-log.ts';

const LIMIT = 5;
const START = Date.UTC(2026, 10, 21) * 1000 + 7_654_321;

/** Request times in rising order: mostly close together, sometimes seconds or minutes apart, sometimes at once. */
const times = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 0, max: 5 * SECOND }) },
      { weight: 2, arbitrary: fc.integer({ min: 5 * SECOND, max: 70 * SECOND }) },
      { weight: 1, arbitrary: fc.constantFrom(0, WINDOW, 2 * WINDOW, WINDOW - 1) },
      { weight: 1, arbitrary: fc.integer({ min: WINDOW, max: 5 * WINDOW }) },
    ),
    { maxLength: 60 },
  )
  .map((gaps) => gaps.map((_, index) => START + gaps.slice(0, index + 1).reduce((sum, gap) => sum + gap, 0)));

interface Past {
  readonly time: number;
  readonly accepted: boolean;
}

/** Decides each request from the whole list of those before it: slow, and as the definition reads. */
type Model = (past: readonly Past[], time: number) => Pick<Decision, 'accepted' | 'remaining' | 'reset'>;

function decisions(limiter: Limiter, at: readonly number[]): Decision[] {
  return at.map((time) => limiter.decide('key-1 read', LIMIT, time));
}

function obeys(make: () => Limiter, model: Model): void {
  fc.assert(
    fc.property(times, (at) => {
      const past: Past[] = [];
      for (const [index, decision] of decisions(make(), at).entries()) {
        const time = at[index] ?? 0;
        const { accepted, remaining, reset } = decision;
        expect({ accepted, remaining, reset }).toEqual(model(past, time));
        past.push({ time, accepted });
      }
    }),
  );
}

const fixed = (counted: number, end: number) => ({
  accepted: counted < LIMIT,
  remaining: Math.max(0, LIMIT - counted - 1),
  reset: end,
});

describe('M1, fixed windows on a grid', () => {
  test.each([
    ['the clock', clockPhase],
    ['another phase', sharedPhase(START - 17 * SECOND)],
    ['the budget’s name', hashPhase],
    ['the first request', firstRequestPhase],
  ])('on %s', (_name, phase) => {
    obeys(
      () => gridLimiter({ phase }),
      (past, time) => {
        const origin = phase('key-1 read', past[0]?.time ?? time);
        const window = (at: number): number => Math.floor((at - origin) / WINDOW);
        const counted = past.filter((each) => window(each.time) === window(time)).length;
        return fixed(counted, origin + (window(time) + 1) * WINDOW);
      },
    );
  });
});

test('M2, fixed windows from the first request', () => {
  obeys(anchoredLimiter, (past, time) => {
    let start = Number.NEGATIVE_INFINITY;
    for (const each of [...past, { time }]) if (each.time >= start + WINDOW) start = each.time;
    return fixed(past.filter((each) => each.time >= start).length, start + WINDOW);
  });
});

describe('M3, a sliding log', () => {
  const model =
    (logRefused: boolean, reset: 'oldest' | 'now'): Model =>
    (past, time) => {
      const live = past.filter((each) => (each.accepted || logRefused) && each.time > time - WINDOW);
      const accepted = live.length < LIMIT;
      const oldest = live[0]?.time ?? time;
      const remaining = Math.max(0, LIMIT - live.length - 1);
      return { accepted, remaining, reset: (reset === 'now' ? time : oldest) + WINDOW };
    };

  test('refused requests not logged', () => obeys(() => slidingLogLimiter(), model(false, 'oldest')));
  test('refused requests logged', () => {
    obeys(() => slidingLogLimiter({ logRefused: true, reset: 'now' }), model(true, 'now'));
  });
  test('the marker of a slot is when the next request is accepted', () => {
    fc.assert(
      fc.property(times, (at) => {
        const last = decisions(slidingLogLimiter({ logRefused: true, reset: 'slot' }), at).at(-1);
        if (!last || last.accepted) return;
        const again = (time: number) => {
          const limiter = slidingLogLimiter({ logRefused: true, reset: 'slot' });
          decisions(limiter, at);
          return limiter.peek('key-1 read', LIMIT, time).accepted;
        };
        expect([again(last.reset - 1), again(last.reset)]).toEqual([false, true]);
      }),
    );
  });
});

describe('M4, a sliding counter', () => {
  test.each(['floor', 'round', 'ceil', 'real'] as const)('compared with %s', (rounding) => {
    const round = { floor: Math.floor, round: Math.round, ceil: Math.ceil, real: (value: number) => value }[rounding];
    obeys(
      () => slidingCounterLimiter({ phase: clockPhase, rounding }),
      (past, time) => {
        const index = Math.floor(time / WINDOW);
        const count = (bucket: number): number =>
          past.filter((each) => each.accepted && Math.floor(each.time / WINDOW) === bucket).length;
        const used = round((count(index - 1) * ((index + 1) * WINDOW - time)) / WINDOW) + count(index);
        const accepted = used + 1 <= LIMIT;
        return { accepted, remaining: accepted ? Math.floor(LIMIT - used - 1) : 0, reset: (index + 1) * WINDOW };
      },
    );
  });

  test('a latch refuses from the first refusal to the end of the bucket', () => {
    fc.assert(
      fc.property(times, (at) => {
        const latched = new Map<number, boolean>();
        for (const [index, { accepted, reset }] of decisions(
          slidingCounterLimiter({ phase: clockPhase, latch: true }),
          at,
        ).entries()) {
          if (latched.get(reset)) expect([index, accepted]).toEqual([index, false]);
          latched.set(reset, !accepted);
        }
      }),
    );
  });
});

const ADMISSIBLE: readonly (readonly [string, () => Limiter])[] = [
  ['grid', () => gridLimiter({ phase: clockPhase })],
  ['anchored', () => anchoredLimiter()],
  ['log', () => slidingLogLimiter()],
  ['counter', () => slidingCounterLimiter({ phase: clockPhase })],
];

describe.each(ADMISSIBLE)('%s', (_name, make) => {
  test('a peek counts nothing and tells what the next request will get', () => {
    fc.assert(
      fc.property(times, (at) => {
        const peeked = make();
        const plain = make();
        for (const time of at) {
          const before = peeked.peek('key-1 read', LIMIT, time);
          const decision = peeked.decide('key-1 read', LIMIT, time);
          expect(decision).toEqual(plain.decide('key-1 read', LIMIT, time));
          expect(before.accepted).toBe(decision.accepted);
        }
      }),
    );
  });

  test('a refund at once leaves the budget as it was', () => {
    const limiter = make();
    const before = limiter.peek('key-1 read', LIMIT, START).remaining;
    limiter.refund('key-1 read', limiter.decide('key-1 read', LIMIT, START), START);
    expect(limiter.peek('key-1 read', LIMIT, START).remaining).toBe(before);
  });

  test('a refund from a window that has ended takes nothing off the next', () => {
    const limiter = make();
    const old = limiter.decide('key-1 read', LIMIT, START);
    const later = START + 3 * WINDOW;
    limiter.decide('key-1 read', LIMIT, later);
    limiter.refund('key-1 read', old, later);
    expect(limiter.peek('key-1 read', LIMIT, later).remaining).toBe(LIMIT - 1);
  });

  test('budgets do not touch one another', () => {
    const limiter = make();
    for (let sent = 0; sent < 2 * LIMIT; sent++) limiter.decide('key-1 read', LIMIT, START);
    expect(limiter.decide('key-2 read', LIMIT, START).remaining).toBe(LIMIT - 1);
  });
});

/** One request at a time: each is followed to its decision before the next. */
function alone(limiter: AnyLimiter, at: readonly number[]): Decision[] {
  return at.map((time) => {
    let outcome = limiter.decide('key-1 read', LIMIT, time);
    while (isDeferred(outcome)) outcome = outcome.resume(time);
    return outcome;
  });
}

describe('without a fault, or one request at a time, the faulty ones are right', () => {
  test.each<readonly [string, () => AnyLimiter, () => Limiter]>([
    ['faulty window', () => faultyWindowLimiter({}), () => anchoredLimiter()],
    ['faulty log', () => faultyLogLimiter({}), () => slidingLogLimiter()],
    ['read then write', () => readThenWriteLimiter(1), () => gridLimiter({ phase: clockPhase })],
    ['check then increment', () => checkThenIncrementLimiter(1), () => gridLimiter({ phase: clockPhase })],
    ['cold create', () => coldCreateLimiter(1), () => gridLimiter({ phase: clockPhase })],
    ['late label', () => lateLabelLimiter(1), () => gridLimiter({ phase: clockPhase })],
    ['clearing straggler', () => clearingStragglerLimiter(1), () => gridLimiter({ phase: clockPhase })],
  ])('%s', (_name, faulty, right) => {
    const shown = ({ accepted, remaining, reset }: Decision) => ({ accepted, remaining, reset });
    fc.assert(
      fc.property(times, (at) => {
        expect(alone(faulty(), at).map(shown)).toEqual(alone(right(), at).map(shown));
      }),
    );
  });
});
