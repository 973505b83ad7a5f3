import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Choices, SECOND, WINDOW } from '../../deployment/deployment.ts';
import type { Deviation } from '../../deployment/operators.ts';
import { limitersOf } from '../limiters.ts';
import { PLAIN } from '../variants.ts';
import { type AnyLimiter, type Decision, isDeferred } from './limiter.ts';
import { LIMIT, START, times } from './requests.test-support.ts';

/** One request at a time: each is decided before the next arrives. */
function alone(limiter: AnyLimiter, at: readonly number[]): Decision[] {
  return at.map((time) => {
    let outcome = limiter.decide('key-1 read', LIMIT, time);
    while (isDeferred(outcome)) outcome = outcome.resume(time);
    return outcome;
  });
}

/** The limiter of reads of a plain deployment with this mechanism and these deviations. */
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

test.each(MECHANISMS)('$name: a refusal that is given back lets one more through', (mechanism) => {
  const limiter = deployed(mechanism, {
    operator: 'class-weight',
    parameters: { kinds: KINDS, attribute: 'status', classes: ['429'], weight: -1 },
  });
  const decided = alone(
    limiter,
    Array.from({ length: LIMIT + 1 }, (_, index) => START + index),
  );
  const refused = decided.at(-1);
  if (refused) limiter.refund('key-1 read', refused, START + LIMIT);
  const later = alone(limiter, [START + LIMIT + 1, START + LIMIT + 2]);
  expect([refused?.accepted, ...later.map(({ accepted }) => accepted)]).toEqual([false, true, false]);
});

describe.each([null, 5 * SECOND])('nodes that tell each other every %s µs', (sync) => {
  test.each(MECHANISMS)('$name: how a budget stands is told by the node that decided', (mechanism) => {
    const apart: Deviation = {
      operator: 'nodes-apart',
      parameters: { kinds: KINDS, nodes: 2, sync, routing: 'in turn' },
    };
    const limiter = deployed(mechanism, apart);
    for (let sent = 0; sent < 4; sent += 1) {
      const [decided] = alone(limiter, [START + sent]);
      expect(decided?.remaining).toBe(LIMIT - 1 - Math.floor(sent / 2));
      expect(limiter.peek('key-1 read', LIMIT, START + sent, decided?.node).remaining).toBe(decided?.remaining);
    }
  });
});

describe('what deviates in a window', () => {
  const anchored = { name: 'anchored', wholeSecond: false } as const;
  const moved = (trigger: 'request' | 'refusal' | 'first refusal', told: boolean): Deviation => ({
    operator: 'moved-end',
    parameters: { kinds: KINDS, trigger, to: { after: WINDOW }, idle: 0, told },
  });
  const burst = Array.from({ length: LIMIT + 1 }, (_, index) => START + index);
  /** Spends a budget at once and asks again at these seconds: whether each of the later requests is accepted. */
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

  test('what was refused is counted in the next window in advance, but not after a whole window', () => {
    const limiter = deployed(anchored, { operator: 'carried-over', parameters: { kinds: KINDS, what: 'refusals' } });
    const refused = Array.from({ length: LIMIT + 2 }, (_, index) => START + index);
    const later = (seconds: number) =>
      Array.from({ length: LIMIT + 5 }, (_, index) => START + seconds * SECOND + index);
    const accepted = (times: readonly number[]) => alone(limiter, times).filter((each) => each.accepted).length;
    expect([accepted(refused), accepted(later(61)), accepted(later(300))]).toEqual([LIMIT, LIMIT - 2, LIMIT]);
  });

  const old = (share: number | 'elapsed'): Deviation => {
    return { operator: 'carried-over', parameters: { kinds: KINDS, what: 'share', share } };
  };

  test.each([
    ['a half at once', 0.5, 61, 0.5],
    ['a quarter after a quarter of the window', 'elapsed', 75, 0.75],
    ['nearly all at the end', 'elapsed', 119, 1 / 60],
  ] as const)('a part of an old count is still counted: %s', (_name, share, seconds, left) => {
    const limiter = deployed({ name: 'grid', phase: 'process' }, old(share));
    const ask = (from: number) =>
      alone(
        limiter,
        Array.from({ length: LIMIT }, (_, at) => from + at),
      );
    const accepted = (from: number) => ask(from).filter((each) => each.accepted).length;
    expect(accepted(START)).toBe(LIMIT);
    expect(accepted(START + seconds * SECOND)).toBe(Math.ceil(left * LIMIT));
  });

  test('what is lost is forgotten once', () => {
    const limiter = deployed(anchored, { operator: 'counters-lost', parameters: { kinds: KINDS, at: 10 * SECOND } });
    const asked = [...burst, ...burst.map((time) => time + 11 * SECOND), START + 20 * SECOND];
    expect(alone(limiter, asked).filter(({ accepted }) => accepted)).toHaveLength(2 * LIMIT);
  });
});

test.each([
  [undefined, LIMIT - 2, LIMIT - 2],
  ['of keys', LIMIT - 2, LIMIT - 1],
  ['of both kinds', LIMIT - 1, LIMIT - 1],
] as const)(
  'a store %s that keeps two counters drops the one that was used the longest ago',
  (store, ofTwo, ofThree) => {
    const left = (...budgets: readonly (readonly [kind: 'read' | 'write', key: string])[]): number | undefined => {
      const parameters = { kinds: KINDS, kept: 2, ...(store && { store }) };
      const anchored = { name: 'anchored', wholeSecond: false } as const;
      const choices = { ...PLAIN, mechanism: { read: anchored, write: anchored } };
      const limiters = limitersOf(
        { choices, deviations: [{ operator: 'counters-lost', parameters }] },
        { started: START, run: START },
      );
      const decided = budgets.map(([kind, key], at) => limiters[kind].decide(`${key} ${kind}`, LIMIT, START + at));
      const last = decided.at(-1);
      return last && !isDeferred(last) ? last.remaining : undefined;
    };
    expect(left(['read', 'key-1'], ['write', 'key-1'], ['read', 'key-2'], ['read', 'key-1'])).toBe(ofTwo);
    expect(left(['read', 'key-1'], ['write', 'key-2'], ['write', 'key-3'], ['read', 'key-1'])).toBe(ofThree);
  },
);
