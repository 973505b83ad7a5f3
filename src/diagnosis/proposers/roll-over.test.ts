import { expect, test } from 'vitest';
import { thorough } from '../../../test/sampled.test-support.ts';
import type { Deviation } from '../../deployment/operators.ts';
import type { Event, History } from '../../oracle/history.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { proposeRollOver } from './roll-over.ts';

const unused = (most?: number): Deviation => ({
  operator: 'carried-over',
  parameters: { kinds: ['read'], what: 'unused', ...(most === undefined ? {} : { most }) },
});

thorough.each([undefined, 5])('what is carried over is found, and at most how many: %s', async (most) => {
  const run = await runUnder([unused(most)]);
  expect(foundBy(proposeRollOver, 'read', run)[0]?.deviations).toEqual([unused(most)]);
  expect(foundBy(proposeRollOver, 'write', run)).toEqual([]);
});

test('headers may say that no more than the limit is left', async () => {
  const { budgets, anonymous } = await runUnder([unused()]);
  // The reference server shows none below the limit; this one hides them above it.
  const raised = ({ events, shown, ...rest }: History): History => {
    const extra = (event: Event): number => overOf(events, event, shown);
    const told = events.map((event) => ({
      ...event,
      remaining:
        event.remaining === null || event.outcome === 'refused' ? event.remaining : Math.min(shown, extra(event)),
    }));
    return { ...rest, events: told, shown };
  };
  const shownAbove = budgets.map(({ history }) => ({ history: raised(history) }));
  const [found] = foundBy(proposeRollOver, 'read', { budgets: shownAbove, anonymous });
  expect(found?.deviations).toEqual([unused()]);
});

/** What is left after a request if the accepted ones of its window count down to 0. */
function overOf(events: readonly Event[], event: Event, shown: number): number {
  const own = events.filter(({ reset, outcome }) => reset === event.reset && outcome === 'accepted');
  const after = own.filter(({ from }) => from > event.from).length;
  return own.length > shown ? after : (event.remaining ?? 0);
}
