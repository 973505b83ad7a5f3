import { expect, test } from 'vitest';
import type { Event, History } from '../../oracle/history.ts';
import { exchanges } from '../trace-builder.test-support.ts';
import { toldBetween } from './told-between.ts';

/** The status and the Remaining of an answer, and how long it takes (ms). */
type Answer = readonly [status: number, remaining: number | null, takes?: number];

/** Requests one after the other. */
function historyOf(answers: readonly Answer[]): History {
  const sent = exchanges(...answers.map(([status]) => ({ status })));
  const events = answers.map(([status, remaining, takes = 1], at) => ({
    ...{ exchange: sent[at], from: at * 10_000, to: at * 10_000 + takes * 1000, group: '' },
    ...{ outcome: status === 200 ? 'accepted' : 'failed', remaining, reset: 60_000_000 },
  })) as unknown as readonly Event[];
  return { events, kind: 'read' } as unknown as History;
}

const isOf =
  (status: number) =>
  ({ exchange }: Event): boolean =>
    exchange.status === status;

const told = (...answers: readonly Answer[]) => toldBetween(historyOf(answers), isOf(404))?.argument.at(-1) ?? null;

test('an answer between two others that tells another number than they do is shown', () => {
  expect(told([200, 59], [404, 57], [200, 57])).toBe(
    '#1 left 59 and #3 left 57, with nothing but #2 of the key and kind between them, which was counted: #2 left 58, and says 57.',
  );
  expect(told([200, 59], [404, 58], [404, 58], [200, 56])).toBe(
    '#1 left 59 and #4 left 56, with nothing but 2 requests of the key and kind between them, which were counted: #3 left 57, and says 58.',
  );
  expect(told([200, 59], [404, 57], [200, 58])).toContain('which was not counted: #2 left 59, and says 57.');
});

test('what is as the two others tell shows nothing', () => {
  expect(told([200, 59], [404, 58], [200, 57])).toBeNull();
  // A request that is not counted may be counted until it is answered.
  for (const left of [59, 58]) expect(told([200, 59], [404, left], [200, 58])).toBeNull();
});

test('where it is open what was counted between, nothing is shown', () => {
  expect(told([200, 59], [404, 57], [404, 57], [200, 57])).toBeNull();
  expect(told([200, 59], [404, 57, 15], [200, 57])).toBeNull();
  expect(told([200, 59], [404, null], [200, 57])).toBeNull();
  expect(told([200, 59], [200, 58], [200, 56])).toBeNull();
});
