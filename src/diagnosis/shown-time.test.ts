import { expect, test } from 'vitest';
import type { Event, History } from '../oracle/history.ts';
import { shownTime } from './shown-time.ts';

const SECOND = 1_000_000;

/** A budget whose answers come at these seconds, with the end of their window. */
function budget(...answers: readonly (readonly [number, Event['outcome'], number])[]): History {
  const events = answers.map(
    ([at, outcome, end]) =>
      ({ outcome, from: at * SECOND, to: at * SECOND, remaining: 5, reset: end * SECOND, group: '' }) as Event,
  );
  return { key: 'key-1', kind: 'read', offset: { low: 0, high: 0 }, events } as unknown as History;
}

test.each<[string, History, number]>([
  ['between two answers of one window', budget([1, 'accepted', 60], [31, 'accepted', 60]), 30],
  ['not before the window of the later one', budget([1, 'accepted', 60], [81, 'accepted', 130]), 11],
  ['not before a refusal', budget([1, 'accepted', 60], [21, 'refused', 60], [71, 'accepted', 130]), 1],
  ['not before the first answer, nor by refusals', budget([31, 'refused', 60], [41, 'refused', 60]), 0],
])('requests of others show %s', (_, history, seconds) => {
  expect(shownTime(history)(0, 200 * SECOND)).toBe(seconds * SECOND);
  expect(shownTime(history)(0, 0)).toBe(0);
});
