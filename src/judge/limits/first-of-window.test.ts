import { expect, test } from 'vitest';
import type { Event, History } from '../../oracle/history.ts';
import { exchanges } from '../trace-builder.test-support.ts';
import { lessAtFirst } from './first-of-window.ts';

/** Accepted requests with the seconds at which they were sent and answered, what was left, and their marker. */
function historyOf(...found: readonly (readonly [from: number, to: number, remaining: number, reset: number])[]) {
  const recorded = exchanges(...found.map(() => ({})));
  const events = found.map(([from, to, remaining, reset], at) => ({
    ...{ exchange: recorded[at], from: from * 1e6, to: to * 1e6, remaining, reset: reset * 1e6 },
    outcome: 'accepted',
  }));
  return { events: events as unknown as readonly Event[], limit: 100, shown: 100, kind: 'read' } as History;
}

test('a window whose first request leaves too little is shown with the answer before it', () => {
  const shown = lessAtFirst(historyOf([0, 1, 99, 60], [2, 3, 98, 60], [61, 62, 69, 120], [63, 64, 68, 120]));
  expect(shown?.events.map(({ exchange }) => exchange.seq)).toEqual([2, 3]);
  expect(shown?.argument.at(-1)).toMatch(/^#3 is the first request of its window: .* It leaves 69, and not 99\.$/);
});

test.each([
  ['the first request of a window leaves the whole budget but one', [61, 62, 99, 120], [63, 64, 68, 120]],
  ['the marker is that of the window before', [61, 62, 69, 60], [63, 64, 68, 60]],
  ['another request was under way, which may have come first', [61, 64, 69, 120], [63, 64, 70, 120]],
] as const)('it is not shown where %s', (_, third, fourth) => {
  expect(lessAtFirst(historyOf([0, 1, 99, 60], [2, 3, 98, 60], third, fourth))).toBeNull();
});
