import { expect, test } from 'vitest';
import { ALL_LAYERS } from './check.ts';
import { explains } from './explain.ts';
import type { Event, History } from './history.ts';
import { SHAPES, variantOf } from './shapes.ts';
import { Work, WorkSpent } from './work.ts';

const SECOND = 1_000_000;

/** One accepted request, and then others each half a second of which it is not known whether they were counted. */
function unclearFor(seconds: number): History {
  const events = Array.from({ length: 2 * seconds }, (_, at) => ({
    ...{ exchange: { seq: at, headers: {} }, from: (at * SECOND) / 2, to: (at * SECOND) / 2 + 1000, group: '' },
    ...{ outcome: at === 0 ? 'accepted' : 'unclear', remaining: at === 0 ? 99 : null, reset: null },
  })) as unknown as readonly Event[];
  const rest = { key: 'key-1', kind: 'read', limit: 100, shown: 100, offset: { low: 0, high: 0 }, unit: null };
  return { ...rest, until: Number.POSITIVE_INFINITY, events } as History;
}

test('windows of which so many may be the last one leave the question open, and do not take the time to make them', () => {
  const shape = SHAPES.find(({ mechanism, lag }) => mechanism === 'grid, anchored' && lag === 0);
  if (!shape) throw new Error('there is no such mechanism');
  const variant = variantOf(shape, { failedCounted: new Set(), undecided: new Set() });
  const asked = (seconds: number, window: number) => () =>
    explains(variant, unclearFor(seconds), ALL_LAYERS, window, null, new Work(1e9));
  expect(asked(2000, SECOND)).toThrow(WorkSpent);
  expect(asked(120, 60 * SECOND)()).not.toBeNull();
});
