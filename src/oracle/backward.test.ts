import { expect, test } from 'vitest';
import { findBackward } from './backward.ts';
import { ALL_LAYERS, check, DECISIONS } from './check.ts';
import type { Event, History } from './history.ts';
import { ANY_WINDOW, type Model } from './model.ts';

const SECOND = 1_000_000;

const at = (from: number, reset: number | null, outcome = 'accepted'): Event =>
  ({ exchange: { seq: from }, from, to: from + 1000, outcome, group: '', remaining: null, reset }) as unknown as Event;

const history = (...events: readonly Event[]): History => ({
  key: 'key-1',
  kind: 'read',
  limit: 100,
  shown: 100,
  events,
  unit: SECOND,
  offset: { low: 0, high: 0 },
  until: Number.POSITIVE_INFINITY,
});

test('a marker goes back where a later answer has an earlier one, by more than a unit and the round trip', () => {
  const earlier = at(0, 60 * SECOND);
  expect(findBackward(history(earlier, at(5000, 50 * SECOND)))?.earlier.event).toBe(earlier);
  expect(findBackward(history(earlier, at(5000, 59 * SECOND)))).toBeNull();
  // Requests that were under way at the same time have no order.
  expect(findBackward(history(earlier, at(500, 50 * SECOND)))).toBeNull();
  // A failed request may not have been counted, so its marker is a placeholder.
  expect(findBackward(history(earlier, at(5000, 50 * SECOND, 'failed')))).toBeNull();
});

test('it contradicts a model that allows everything, unless markers are not looked at', () => {
  const any: Model = {
    alternatives: () => [{ ...ANY_WINDOW, high: 0 }],
    overfull: () => null,
  };
  const counting = { failedCounted: new Set<string>(), undecided: new Set<string>(), refusedCounted: false };
  const back = history(at(0, 60 * SECOND), at(5000, 50 * SECOND));
  expect(check(any, back, counting, ALL_LAYERS, 0).contradiction?.kind).toBe('marker goes back');
  expect(check(any, back, counting, DECISIONS, 0).contradiction).toBeNull();
});

test('the same markers in another unit are compared anew', () => {
  const steps = history(at(0, 60 * SECOND), at(5000, 59 * SECOND));
  expect(findBackward(steps)).toBeNull();
  expect(findBackward({ ...steps, unit: SECOND / 10 })?.later.event).toBe(steps.events[1]);
  expect(findBackward(steps)).toBeNull();
});
