import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Event, type History, WINDOW } from '../../oracle/history.ts';
import { findOvershoot, soonestOverLimit } from './window-counts.ts';

const LIMIT = 3;
const SECOND = 1_000_000;

/** Accepted requests with one marker. @param times when each was sent and answered, in µs */
function accepted(times: readonly (readonly [number, number])[]): History {
  const events = times.map(([from, to], seq) => ({
    ...{ exchange: { seq, headers: { reset: ['60'], remaining: ['0'] } }, from, to, group: '' },
    ...{ outcome: 'accepted', remaining: 0, reset: 60 * SECOND },
  })) as unknown as readonly Event[];
  return { events, limit: LIMIT, unit: SECOND } as unknown as History;
}

test('requests with one marker that were answered within a minute exceed the limit', () => {
  const found = findOvershoot(accepted([0, 20, 40, 59].map((at) => [at * SECOND, at * SECOND + 1000])));
  expect(found?.accepted).toBe(4);
});

test('requests with one marker that lie a minute apart need not be counted together', () => {
  // As in a sliding log whose markers are in whole seconds.
  const times = [0, 20, 40, 60].map((at) => [at * SECOND, at * SECOND + 300_000] as const);
  expect(findOvershoot(accepted(times))).toBeNull();
});

test('what is found was sent and answered within a minute, and any four such requests are found', () => {
  const requests = fc.array(fc.tuple(fc.nat(2 * WINDOW), fc.nat(5 * SECOND)), { maxLength: 12 });
  fc.assert(
    fc.property(requests, (drawn) => {
      const times = drawn.map(([from, took]) => [from, from + took] as const).sort(([one], [other]) => one - other);
      const found = findOvershoot(accepted(times));
      const areTogether = times.some(([first], at) => {
        const next = times.slice(at, at + LIMIT + 1);
        return next.length > LIMIT && Math.max(...next.map(([, to]) => to)) - first <= WINDOW;
      });
      expect(found !== null).toBe(areTogether);
      if (!found) return;
      const own = times.filter((_, seq) => seq >= found.opened.exchange.seq && seq <= found.last.exchange.seq);
      expect(own).toHaveLength(found.accepted);
      expect(Math.max(...own.map(([, to]) => to)) - found.opened.from).toBeLessThanOrEqual(WINDOW);
    }),
  );
});

test('where no markers tell windows apart, the shortest time with more than the limit is shown', () => {
  const at = (times: readonly number[]) =>
    accepted(times.map((time) => [time * SECOND, time * SECOND + 1000] as const));
  expect(soonestOverLimit(at([0, 30, 31, 32, 33, 50]))?.events.map(({ exchange }) => exchange.seq)).toEqual([1, 4]);
  expect(soonestOverLimit(at([0, 30, 31]))).toBeNull();
  expect(soonestOverLimit(at([0, 30, 59, 61]))).toBeNull();
});
