import { expect, test } from 'vitest';
import { SECOND } from '../../deployment/deployment.ts';
import { anchoredWindows } from './fixed-window.ts';
import { isDeferred } from './limiter.ts';
import { limiterOf } from './mechanics.ts';
import { withOneExpiry } from './one-expiry.ts';

test('the counts of both kinds of a key are lost a minute after the first request of either', () => {
  const { read, write } = withOneExpiry({ read: limiterOf(anchoredWindows()), write: limiterOf(anchoredWindows()) });
  const left = (limiter: typeof read, budget: string, at: number): number => {
    const decision = limiter.decide(budget, 30, at * SECOND);
    return isDeferred(decision) ? Number.NaN : decision.remaining;
  };
  expect(left(read, 'key-1 read', 0)).toBe(29);
  expect(left(write, 'key-1 write', 20)).toBe(29);
  expect(left(write, 'key-2 write', 20)).toBe(29);
  expect(left(write, 'key-1 write', 59)).toBe(28);
  expect(left(write, 'key-1 write', 61)).toBe(29);
  expect(left(write, 'key-2 write', 61)).toBe(28);
});
