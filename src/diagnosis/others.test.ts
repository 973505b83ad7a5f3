import { expect, test } from 'vitest';
import type { Event } from '../oracle/history.ts';
import { bitsOf } from './others.ts';

const MINUTE = 60_000_000;

/** Of an event only its time is looked at. */
const episode = (key: string, since: number, to: number, requests = 1) => ({
  key,
  requests,
  since,
  event: { to } as Event,
});

/** What one use by others costs for each key, of four, in two minutes: its number of requests and its key. */
const eachKey = (requests: number) => Math.log2(4) + 2 * Math.log2(1 + requests);

function bitsFor(...episodes: readonly ReturnType<typeof episode>[]): number {
  return bitsOf(episodes, 4, 2 * MINUTE);
}

test('use by others costs as many bits for its moment as the answers tell of it', () => {
  expect(bitsFor(episode('key-1', 0, MINUTE))).toBeCloseTo(1 + eachKey(1));
  expect(bitsFor(episode('key-1', 0, MINUTE / 2, 20))).toBeCloseTo(2 + eachKey(20));
  // Never less than none, and no more than a second of two minutes.
  expect(bitsFor(episode('key-1', -3 * MINUTE, MINUTE))).toBeCloseTo(eachKey(1));
  expect(bitsFor(episode('key-1', MINUTE, MINUTE))).toBeCloseTo(7 + eachKey(1));
});

test('that others took all that was left is no number to say', () => {
  const refused = (requests: number) => {
    const told = episode('key-1', -3 * MINUTE, MINUTE, requests);
    return bitsFor({ ...told, event: { ...told.event, outcome: 'refused' } });
  };
  expect(refused(26)).toBe(refused(1));
  expect(refused(26)).toBeLessThan(bitsFor(episode('key-1', -3 * MINUTE, MINUTE, 26)));
});

test('use of several keys at once is one moment, and each is met at its own answer at the least', () => {
  const moments = (...episodes: readonly ReturnType<typeof episode>[]) =>
    Math.round((bitsFor(...episodes) - episodes.length * eachKey(1)) / 7);
  expect(moments(episode('key-1', 0, 10), episode('key-2', 5, 20))).toBe(1);
  expect(moments(episode('key-1', 0, 10), episode('key-2', 15, 20))).toBe(2);
  expect(moments(episode('key-1', 0, 10), episode('key-1', 5, 20))).toBe(2);
  // What had ended before it is known by an answer that came after its own.
  expect(moments(episode('key-1', 12, 10), episode('key-2', 5, 20))).toBe(1);
});
