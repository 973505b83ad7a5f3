import { expect, test } from 'vitest';
import type { Event } from '../oracle/history.ts';
import type { Explained } from './explained.ts';
import { CHANCE_BITS, chanceBits, FINAL_BITS } from './needed-lead.ts';
import type { World } from './world.ts';

const rule = { deviations: [{}] } as unknown as Explained;
const pair = { deviations: [{}, {}] } as unknown as Explained;
const three = { deviations: [{}, {}, {}] } as unknown as Explained;

/** Requests that take 10 ms each, so far apart (µs), for each of some budgets. */
function worldOf(...budgets: readonly { readonly requests: number; readonly apart: number }[]): World {
  const histories = budgets.map(({ requests, apart }) => ({
    events: Array.from({ length: requests }, (_, at) => {
      return { from: at * apart, to: at * apart + 10_000, outcome: 'accepted' } as Event;
    }),
  }));
  return { histories } as unknown as World;
}

test('a rule must lead by more where few answers are exact, and more than one by more', () => {
  const lone = { requests: 30, apart: 20_000 };
  const burst = { requests: 30, apart: 10 };
  expect(chanceBits(rule, worldOf(lone))).toBe(CHANCE_BITS);
  expect(chanceBits(rule, worldOf(burst))).toBe(FINAL_BITS);
  expect(chanceBits(rule, worldOf({ ...lone, requests: 4 }))).toBe(FINAL_BITS - 4);
  // The budget of which most is known exactly counts: a key that may do little says little against a rule.
  expect(chanceBits(rule, worldOf(lone, burst))).toBe(CHANCE_BITS);
  expect(chanceBits(pair, worldOf(lone))).toBe(FINAL_BITS);
  expect(chanceBits(three, worldOf(lone))).toBe(2 * FINAL_BITS);
});
