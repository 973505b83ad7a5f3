import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SECOND, WINDOW } from '../../deployment/deployment.ts';
import { anchoredWindows, gridWindows, sweptWindows } from './fixed-window.ts';
import type { Decision, Limiter } from './limiter.ts';
import { limiterOf } from './mechanics.ts';
import { phaseOf } from './phase.ts';
import { LIMIT, START, times } from './requests.test-support.ts';
import { slidingCounter } from './sliding-counter.ts';
import { slidingLog } from './sliding-log.ts';

const CLOCK = phaseOf('clock', 0);

interface Past {
  readonly time: number;
  readonly accepted: boolean;
}

/** Decides each request from the list of all requests before it, straight from the definition, so it is slow. */
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
  test.each(['clock', 'process', 'key-hash', 'first-request'] as const)('on %s', (name) => {
    const phase = phaseOf(name, START - 17 * SECOND);
    obeys(
      () => limiterOf(gridWindows(phase)),
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
  obeys(
    () => limiterOf(anchoredWindows()),
    (past, time) => {
      let start = Number.NEGATIVE_INFINITY;
      for (const each of [...past, { time }]) if (each.time >= start + WINDOW) start = each.time;
      return fixed(past.filter((each) => each.time >= start).length, start + WINDOW);
    },
  );
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

  test('refused requests not logged', () => obeys(() => limiterOf(slidingLog()), model(false, 'oldest')));
  test('refused requests logged', () => {
    obeys(() => limiterOf(slidingLog({ logRefused: true, reset: 'now' })), model(true, 'now'));
  });
  test('the marker of a slot is when the next request is accepted', () => {
    fc.assert(
      fc.property(times, (at) => {
        const last = decisions(limiterOf(slidingLog({ logRefused: true, reset: 'slot' })), at).at(-1);
        if (!last || last.accepted) return;
        const again = (time: number) => {
          const limiter = limiterOf(slidingLog({ logRefused: true, reset: 'slot' }));
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
      () => limiterOf(slidingCounter({ phase: CLOCK, rounding })),
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
          limiterOf(slidingCounter({ phase: CLOCK, latch: true })),
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
  ['grid', () => limiterOf(gridWindows(CLOCK))],
  ['anchored', () => limiterOf(anchoredWindows())],
  ['swept', () => limiterOf(sweptWindows(45 * SECOND))],
  ['log', () => limiterOf(slidingLog())],
  ['counter', () => limiterOf(slidingCounter({ phase: CLOCK }))],
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
