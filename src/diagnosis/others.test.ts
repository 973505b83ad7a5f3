import { expect, test } from 'vitest';
import type { Event } from '../oracle/history.ts';
import { momentsOf } from './others.ts';

test('use of several keys at once is one moment, and each is met at its own answer at the least', () => {
  // Of an event only its time is looked at.
  const episode = (key: string, since: number, to: number) => ({ key, requests: 1, since, event: { to } as Event });
  const momentsIn = (...episodes: readonly ReturnType<typeof episode>[]) =>
    momentsOf({ requests: episodes.length, complete: true, episodes });
  expect(momentsIn(episode('key-1', 0, 10), episode('key-2', 5, 20))).toBe(1);
  expect(momentsIn(episode('key-1', 0, 10), episode('key-2', 15, 20))).toBe(2);
  expect(momentsIn(episode('key-1', 0, 10), episode('key-1', 5, 20))).toBe(2);
  // What had ended before it is known by an answer that came after its own.
  expect(momentsIn(episode('key-1', 12, 10), episode('key-2', 5, 20))).toBe(1);
});
