import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Choices, SECOND, WINDOW } from '../../deployment/deployment.ts';
import type { Deviation } from '../../deployment/operators.ts';
import { limitersOf } from '../limiters.ts';
import { PLAIN } from '../variants.ts';
import { anchoredWindows, gridWindows, sweptWindows } from './fixed-window.ts';
import { type AnyLimiter, type Decision, isDeferred, type Limiter } from './limiter.ts';
import { limiterOf } from './mechanics.ts';
import { phaseOf } from './phase.ts';
import { slidingCounter } from './sliding-counter.ts';
import { slidingLog } from './sliding-log.ts';

const LIMIT = 5;
const CLOCK = phaseOf('clock', 0);
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

/** One request at a time: each is followed to its decision before the next. */
function alone(limiter: AnyLimiter, at: readonly number[]): Decision[] {
  return at.map((time) => {
    let outcome = limiter.decide('key-1 read', LIMIT, time);
    while (isDeferred(outcome)) outcome = outcome.resume(time);
    return outcome;
  });
}

/** The limiter of reads of a deployment that is plain but for this. */
function deployed(mechanism: Choices['mechanism']['read'], ...deviations: readonly Deviation[]): AnyLimiter {
  const choices = { ...PLAIN, mechanism: { read: mechanism, write: mechanism } };
  return limitersOf({ choices, deviations }, { started: START, run: START }).read;
}

const KINDS = ['read', 'write'] as const;
const MECHANISMS: readonly Choices['mechanism']['read'][] = [
  { name: 'grid', phase: 'clock' },
  { name: 'anchored', wholeSecond: false },
  { name: 'log', logRefused: false, reset: 'oldest' },
  { name: 'counter', phase: 'clock', rounding: 'floor', latch: false, reanchor: false },
];

describe.each(MECHANISMS)('$name: one request at a time, what races is right', (mechanism) => {
  const race = { kinds: KINDS } as const;
  test.each<Deviation>([
    { operator: 'lost-updates', parameters: { ...race, gap: 1, when: 'always' } },
    { operator: 'lost-updates', parameters: { ...race, gap: 1, when: 'window is made' } },
    { operator: 'late-counting', parameters: { ...race, lag: 0, answered: 'when decided' } },
    { operator: 'late-counting', parameters: { ...race, lag: 0, answered: 'when counted' } },
    { operator: 'nodes-apart', parameters: { ...race, nodes: 1, sync: null, routing: 'in turn' } },
    { operator: 'nodes-apart', parameters: { ...race, nodes: 1, sync: SECOND, routing: 'at random' } },
  ])('$operator $parameters', (deviation) => {
    const shown = ({ accepted, remaining }: Decision) => ({ accepted, remaining });
    fc.assert(
      fc.property(times, (at) => {
        expect(alone(deployed(mechanism, deviation), at).map(shown)).toEqual(alone(deployed(mechanism), at).map(shown));
      }),
    );
  });
});

describe('what deviates in a window', () => {
  const anchored = { name: 'anchored', wholeSecond: false } as const;
  const moved = (trigger: 'request' | 'refusal' | 'first refusal', told: boolean): Deviation => ({
    operator: 'moved-end',
    parameters: { kinds: KINDS, trigger, to: { after: WINDOW }, idle: 0, told },
  });
  const burst = Array.from({ length: LIMIT + 1 }, (_, index) => START + index);
  /** When a budget that is spent at once and asked again after `pause` s is back, in s from the start. */
  const backAfter = (deviation: Deviation, asks: readonly number[]) =>
    alone(deployed(anchored, deviation), [...burst, ...asks.map((second) => START + second * SECOND)])
      .slice(burst.length)
      .map(({ accepted }) => accepted);

  test.each<readonly [string, Deviation, readonly number[], readonly boolean[]]>([
    [
      'a window of 57 s',
      { operator: 'window-length', parameters: { kinds: KINDS, length: 57e6, told: 57e6, from: 'always' } },
      [56, 58],
      [false, true],
    ],
    [
      'no end',
      { operator: 'window-length', parameters: { kinds: KINDS, length: null, told: 60e6, from: 'always' } },
      [61, 600],
      [false, false],
    ],
    ['an end that each request moves', moved('request', true), [30, 61, 130], [false, false, true]],
    ['an end that each refusal moves', moved('refusal', true), [30, 61, 130], [false, false, true]],
    ['an end that the first refusal moves', moved('first refusal', true), [30, 59, 61], [false, false, true]],
    [
      'an old count',
      { operator: 'carried-over', parameters: { kinds: KINDS, what: 'old count' } },
      [61, 62],
      [false, true],
    ],
  ])('%s', (_name, deviation, asks, accepted) => {
    expect(backAfter(deviation, asks)).toEqual(accepted);
  });

  test('what was left unused is let through in the next window', () => {
    const limiter = deployed(anchored, { operator: 'carried-over', parameters: { kinds: KINDS, what: 'unused' } });
    const later = Array.from({ length: 2 * LIMIT + 2 }, (_, index) => START + 61 * SECOND + index);
    expect(alone(limiter, [START, ...later]).filter(({ accepted }) => accepted)).toHaveLength(1 + LIMIT + LIMIT - 1);
  });

  test('what is lost is forgotten once', () => {
    const limiter = deployed(anchored, { operator: 'counters-lost', parameters: { kinds: KINDS, at: 10 * SECOND } });
    const asked = [...burst, ...burst.map((time) => time + 11 * SECOND), START + 20 * SECOND];
    expect(alone(limiter, asked).filter(({ accepted }) => accepted)).toHaveLength(2 * LIMIT);
  });
});
