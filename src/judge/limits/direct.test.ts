import { expect, test } from 'vitest';
import type { History } from '../../oracle/history.ts';
import { exchangeOf } from '../../trace/trace.test-support.ts';
import { misplacedMarker, unspentRefusal, whyMisplaced } from './direct.ts';

test.each([
  [false, 88.8, /^Usually windows are longer than a minute/],
  [false, 3599.5, /local time/],
  [false, 1000, /a clock is off/],
  [true, 2.1, /window that has ended, or is the start of the window/],
  [true, 7200, /local time/],
  [true, 19_739.1, /local time/],
  [false, 1800, /a clock is off/],
])('a cause fits where the marker lies (in the past: %s, by %d s)', (past, distance, cause) => {
  expect(whyMisplaced(past, distance)).toMatch(cause);
});

test('markers of a node whose clock is wrong are not put down to the length of windows', () => {
  expect(whyMisplaced(false, 124.2, true)).toMatch(/^Usually the clock of one of several nodes is wrong/);
});

test('a marker is held to the time at which it was sent, though a hypothesis counts its request later', () => {
  const exchange = exchangeOf(1, { sent: 10_000_000, answered: 10_001_000 });
  const event = { exchange, from: 20_000_000, to: 20_000_000, outcome: 'accepted', group: '', remaining: 9 };
  const history = (reset: number) =>
    ({ unit: 1, offset: { low: 0, high: 0 }, events: [{ ...event, reset }] }) as unknown as History;
  expect(misplacedMarker(history(80_000_000))?.proof.received).toMatch(
    /^X-RateLimit-Reset lies at least 70\.0 s in the future/,
  );
  expect(misplacedMarker(history(70_000_000))).toBeNull();
});

test('a refusal that says that some are left is told in plain words', () => {
  const refusal = (seq: number, from: number, remaining: number) => {
    const exchange = exchangeOf(seq, { sent: from, answered: from + 1_000, status: 429 });
    return { exchange, from, to: from + 1_000, outcome: 'refused', group: '', remaining };
  };
  const history = { shared: false, events: [refusal(1, 10_000, 3), refusal(2, 20_000, 0)] } as unknown as History;
  expect(unspentRefusal(history)?.argument.at(-1)).toBe(
    'If 3 could still be sent at #1, as its answer says, at least 3 could at #2. But #2 was refused too.',
  );
});
