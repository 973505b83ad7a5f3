import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Event } from '../oracle/history.ts';
import { bitsOf } from './episodes.ts';

const MINUTE = 60_000_000;

/** Only the time of an event is used. */
const episode = (key: string, since: number, to: number, requests = 1) => ({
  key,
  requests,
  since,
  until: to,
  event: { to } as Event,
});

/** The price of one use by others for each of four keys in two minutes: its number of requests and its key. */
const eachKey = (requests: number) => Math.log2(4) + 2 * Math.log2(1 + requests);

function bitsFor(...episodes: readonly ReturnType<typeof episode>[]): number {
  return bitsOf(episodes, 4, 2 * MINUTE);
}

test('use by others costs as many bits for its moment as the answers tell of it', () => {
  expect(bitsFor(episode('key-1', 0, MINUTE))).toBeCloseTo(1 + eachKey(1));
  expect(bitsFor(episode('key-1', 0, MINUTE / 2, 20))).toBeCloseTo(2 + eachKey(20));
  // Never below zero, and no more precise than clocks are.
  expect(bitsFor(episode('key-1', -3 * MINUTE, MINUTE))).toBeCloseTo(eachKey(1));
  expect(bitsFor(episode('key-1', MINUTE, MINUTE))).toBeCloseTo(Math.log2(120_000) + eachKey(1));
});

test('of a number a refusal tells only the least that it can be, which takes half of the bits', () => {
  const refused = (requests: number) => {
    const told = episode('key-1', -3 * MINUTE, MINUTE, requests);
    return bitsFor({ ...told, event: { ...told.event, outcome: 'refused' } });
  };
  expect(refused(26) - refused(1)).toBeCloseTo(Math.log2(27) - Math.log2(2));
  expect(refused(26)).toBeLessThan(bitsFor(episode('key-1', -3 * MINUTE, MINUTE, 26)));
});

test('in which order use by others is said tells nothing, and no use costs less than nothing', () => {
  const one = bitsFor(episode('key-1', 0, MINUTE));
  const later = 2_000_000;
  const both = bitsFor(episode('key-1', 0, MINUTE), episode('key-1', MINUTE + later, 2 * MINUTE + later));
  expect(both).toBeCloseTo(2 * one - 1);
  const anytime = Array.from({ length: 30 }, () => episode('key-1', -3 * MINUTE, MINUTE));
  expect(bitsFor(...anytime)).toBeLessThan(30 * eachKey(1));
  expect(bitsFor(...anytime)).toBeGreaterThan(0);
});

test('use of several keys at once is said as precisely as the answers of each tell when it came', () => {
  const keys = ['key-1', 'key-2', 'key-3'];
  const wide = keys.map((key) => episode(key, 0, MINUTE));
  const narrow = wide.map((each) => ({ ...each, width: MINUTE / 64 }));
  expect(bitsFor(...narrow) - bitsFor(...wide)).toBeCloseTo(6);
});

test('steady use costs little for each request, and a burst costs as much as before', () => {
  const every = (seconds: number, requests: number) =>
    Array.from({ length: 30 }, (_, at) => episode('key-1', at * seconds * 1e6, (at + 1) * seconds * 1e6, requests));
  const apart = 30 * (Math.log2(30) + eachKey(3)) - Math.log2(30);
  expect(bitsFor(...every(4, 3))).toBeLessThan(apart / 2);
  // It never gets cheaper than what states the rate.
  expect(bitsFor(...every(4, 3))).toBeGreaterThan(2 * Math.log2(91));
  const burst = every(0.01, 3);
  expect(bitsFor(...burst)).toBeGreaterThan(bitsFor(...every(4, 3)));
});

test('use of several keys at once is one moment, to a second, and each is met at its own answer at the least', () => {
  const moment = Math.log2(120);
  const bits = (...episodes: readonly ReturnType<typeof episode>[]) => bitsFor(...episodes) - 2 * eachKey(1);
  const together = bits(episode('key-1', 0, 1_000_000, 1), episode('key-2', 5, 1_000_020, 1));
  expect(together).toBeLessThanOrEqual(moment);
  // An answer can show that something was over before it only if it came later.
  expect(bits(episode('key-1', 12, 10), episode('key-2', 5, 20))).toBeLessThan(2 * moment + 2 * Math.log2(1000));
  expect(bits(episode('key-1', 0, 10), episode('key-2', 2_000_010, 2_000_020))).toBeGreaterThan(2 * moment);
  expect(bits(episode('key-1', 0, 10), episode('key-1', 5, 20))).toBeGreaterThan(2 * moment);
});

test('the more precisely answers tell when each of several keys was used, the more it costs', () => {
  const second = 1_000_000;
  const wide = bitsFor(episode('key-1', 0, second), episode('key-2', 0, second));
  const narrow = bitsFor(episode('key-1', 0, second), episode('key-2', second / 2, second / 2 + 1000));
  expect(narrow - wide).toBeCloseTo(Math.log2(1000));
  // Never more precisely than clocks are, and never more than if each were used by itself.
  expect(bitsFor(episode('key-1', 0, second), episode('key-2', second / 2, second / 2))).toBeCloseTo(narrow);
  expect(narrow).toBeLessThan(bitsFor(episode('key-1', 0, second)) + bitsFor(episode('key-2', 0, 1000)));
});

test('what one key lacks within the time of a job is one use of it, and its parts cost little more', () => {
  const part = (from: number, requests: number) => episode('key-1', from, from + 100_000, requests);
  const whole = bitsFor(part(0, 20));
  const parts = bitsFor(part(0, 9), part(400_000, 5), part(800_000, 6));
  expect(parts).toBeCloseTo(whole + 2 * Math.log2(21));
  expect(parts).toBeLessThan(bitsFor(part(0, 9), part(5_000_000, 5), part(9_000_000, 6)));
});

test('alike use of all keys is said once', () => {
  const used = (...requests: readonly number[]) =>
    bitsFor(...requests.map((each, at) => episode(`key-${at + 1}`, 0, 1_000_000, each)));
  const moment = Math.log2(120);
  expect(used(20, 20, 20, 20)).toBeCloseTo(moment + eachKey(20));
  expect(used(20, 20, 20, 19)).toBeCloseTo(moment + 3 * eachKey(20) + eachKey(19));
});

test('what a sliding counter shows of use by others is the least that it can have been', () => {
  const used = (...requests: readonly number[]) =>
    bitsFor(
      ...requests.map((each, at) => {
        return { ...episode(`key-${at + 1}`, 0, 1_000_000 + at, each), atLeast: true as const };
      }),
    );
  expect(used(9) - used(1)).toBeCloseTo(Math.log2(10) - Math.log2(2));
  // The same use of all keys, seen later of some, when less of it weighs, and never more.
  expect(used(9, 8, 6, 5)).toBeCloseTo(used(9, 9, 9, 9), 1);
  expect(used(5, 6, 8, 9)).toBeGreaterThan(used(9, 8, 6, 5) + 3);
});

test('however much of it answers show, and however exactly, no use costs less than nothing', () => {
  const anyEpisode = fc
    .record({
      key: fc.constantFrom('key-1', 'key-2'),
      since: fc.integer({ min: -3 * MINUTE, max: 2 * MINUTE }),
      width: fc.integer({ min: 0, max: 3 * MINUTE }),
      requests: fc.integer({ min: 1, max: 100 }),
      atLeast: fc.boolean(),
    })
    .map(({ key, since, width, requests, atLeast }) => ({
      ...episode(key, since, since + width, requests),
      ...(atLeast && { atLeast: true as const }),
    }));
  fc.assert(
    fc.property(
      fc.array(anyEpisode, { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 0, max: MINUTE }),
      (episodes, most) => {
        const shown = (from: number, to: number): number => Math.min(most, to - from);
        const ofKeys = new Map(episodes.map(({ key }) => [key, shown]));
        expect(bitsOf(episodes, 2, 5 * MINUTE, ofKeys)).toBeGreaterThanOrEqual(0);
      },
    ),
  );
});
