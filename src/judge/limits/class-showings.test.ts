import { expect, test } from 'vitest';
import type { Event, History } from '../../oracle/history.ts';
import { exchanges } from '../trace-builder.test-support.ts';
import { costsBetween, passesRefusals } from './class-showings.ts';

/** Reads one after another with their status, Remaining, and second of the marker. */
function historyOf(...found: readonly (readonly [status: number, remaining: number | null, reset?: number])[]) {
  const recorded = exchanges(...found.map(([status]) => ({ status })));
  const events = found.map(([status, remaining, reset = 60], at) => ({
    ...{ exchange: recorded[at], from: at * 10_000, to: at * 10_000 + 1000, remaining, reset: reset * 1e6 },
    outcome: status === 200 ? 'accepted' : status === 429 ? 'refused' : 'failed',
  }));
  return { events: events as unknown as readonly Event[], limit: 100, shown: 100, kind: 'read' } as History;
}

const seqs = (shown: ReturnType<typeof costsBetween>) => shown?.events.map(({ exchange }) => exchange.seq);
const isMissing = ({ exchange }: Event): boolean => exchange.status === 404;

test('what a request of a class costs is shown by the answers before and after it', () => {
  const history = historyOf([200, 99], [200, 98], [404, 95], [200, 94], [404, 91], [404, 88], [200, 87]);
  const shown = costsBetween(history, isMissing, 3);
  expect(seqs(shown)).toEqual([2, 3, 4]);
  expect(shown?.argument.at(-1)).toBe(
    '#3 is the only other read of the key from #2 to #4, and #4 left 4 fewer. #4 itself takes one, so #3 was counted 3 times.',
  );
  expect(costsBetween(history, isMissing, 0)).toBeNull();
  expect(costsBetween(historyOf([200, 99], [404, 98], [200, 98, 120]), isMissing, 0)).toBeNull();
  const free = costsBetween(historyOf([200, 99], [404, null], [200, 98]), isMissing, 0);
  expect(free?.argument.at(-1)).toMatch(/ and #3 left 1 fewer\. #3 itself takes one, so #2 was not counted\.$/);
});

test('a class that is not limited is shown by its request between the nearest two refusals of one window', () => {
  const seventh = ({ exchange }: Event): boolean => [2, 6].includes(exchange.seq);
  const history = historyOf([429, 0], [200, null], [404, null], [429, 0], [429, 0], [200, null], [429, 0]);
  const shown = passesRefusals(history, seventh);
  expect(seqs(shown)).toEqual([5, 6, 7]);
  expect(shown?.argument.at(-1)).toMatch(/^#5 and #7 were refused, .* Between them, #6 was accepted\.$/);
  expect(passesRefusals(historyOf([429, 0], [200, null], [429, 0, 120]), seventh)).toBeNull();
});
