import { expect, test } from 'vitest';
import { ALL_LAYERS, check } from './check.ts';
import { type Event, type History, WINDOW } from './history.ts';
import type { Alternative, Model } from './model.ts';

const window = (number: number, high: number): Alternative => ({
  ...{
    low: 0,
    high,
    window: number,
    countedIn: number,
    leaving: 0,
    latched: false,
    regained: Number.POSITIVE_INFINITY,
  },
  ...{ resetLow: number * WINDOW, resetHigh: number * WINDOW, ends: number * WINDOW, outlasts: false },
});

test('a refusal on either side of a boundary lacks requests in the window whose marker it has', () => {
  const refusal = { from: WINDOW, to: WINDOW + 1000, outcome: 'refused', group: '', remaining: 0, reset: 2 * WINDOW };
  const history: History = {
    ...{ key: 'key-1', kind: 'read', limit: 100, shown: 100, events: [refusal as unknown as Event], unit: 1000 },
    ...{ offset: { low: 0, high: 0 }, until: Number.POSITIVE_INFINITY },
  };
  const [ended, open] = [window(1, 100), window(2, 3)];
  const model: Model = { alternatives: () => [ended, open], overfull: () => null };
  const counting = { failedCounted: new Set<string>(), undecided: new Set<string>(), refusedCounted: false };
  const { contradiction } = check(model, history, counting, ALL_LAYERS, 0, null, null, true);
  expect(contradiction).toMatchObject({ kind: 'reset', allowed: ended, lacking: open });
});
