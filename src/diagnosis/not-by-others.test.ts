import { expect, test } from 'vitest';
import type { Event, History } from '../oracle/history.ts';
import { acceptsAfterRefusals } from './not-by-others.ts';

/**
 * One window with these outcomes, in turn: `a` accepted, `r` refused, `f` failed; a capital is answered after the next
 * one.
 */
function historyOf(outcomes: string): History {
  const named = { a: 'accepted', r: 'refused', f: 'failed' } as Readonly<Record<string, Event['outcome']>>;
  const events = [...outcomes].map((letter, at) => ({
    ...{ from: at * 1000, to: at * 1000 + (letter === letter.toLowerCase() ? 500 : 1800), reset: 60e6 },
    outcome: named[letter.toLowerCase()],
  }));
  return { events: events as unknown as readonly Event[] } as History;
}

test.each([
  ['araara', true],
  ['aaarrr', false],
  // Once may be a coincidence: somebody else’s request failed and was taken off the count again.
  ['aarra', false],
  // The refusal may have been decided after the acceptance that overlaps it.
  ['aRaaRa', false],
  // A failed request of the key’s own was under way with the refusal, and was taken off the count again.
  ['aFraFra', false],
  // A refusal before the first answer with this marker may belong to the window before.
  ['rara', false],
  ['rrara', true],
])('of %s, use by others cannot explain what is accepted after refusals: %s', (outcomes, due) => {
  expect(acceptsAfterRefusals([historyOf(outcomes)])).toBe(due);
});

test('what windows of several budgets show counts together', () => {
  expect(acceptsAfterRefusals([historyOf('ara'), historyOf('aara')])).toBe(true);
  expect(acceptsAfterRefusals([historyOf('ara')], [historyOf('aara')])).toBe(true);
  expect(acceptsAfterRefusals([historyOf('aar')], [historyOf('ara'), historyOf('aara')])).toBe(false);
});
