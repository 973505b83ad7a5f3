import { expect, test } from 'vitest';
import type { Deviation } from '../../deployment/operators.ts';
import type { Event, History } from '../../oracle/history.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { proposeSharedLimits } from './second-limit.ts';

const GUARD: Deviation = {
  operator: 'second-limit',
  parameters: { kinds: ['read'], only: null, limit: 130, window: 60_000_000, across: 'keys' },
};

/** Refusals that say that nothing is left, as a gateway writes them. */
function silent({ events, ...history }: History): History {
  const said = (event: Event): Event => (event.outcome === 'refused' ? { ...event, remaining: 0 } : event);
  return { ...history, events: events.map(said) };
}

test('a limit of all keys is found, though its refusals say that nothing is left', async () => {
  const { budgets, anonymous } = await runUnder([GUARD]);
  const [found] = foundBy(proposeSharedLimits, 'read', {
    budgets: budgets.map(({ history }) => ({ history: silent(history) })),
    anonymous,
  });
  expect(found?.deviations).toMatchObject([
    { operator: 'second-limit', parameters: { kinds: ['read'], only: null, window: 60_000_000, across: 'keys' } },
  ]);
});

test('a limit that was reached in one window only is found where use by others explains nothing', async () => {
  const { budgets, anonymous } = await runUnder([GUARD]);
  const isEarly = ({ from }: Event): boolean => from < 58_000_000;
  const once = budgets.map(({ history }) => ({
    history: { ...silent(history), events: silent(history).events.filter(isEarly) },
  }));
  const parameters = { kinds: ['read'], only: null, window: 60_000_000, across: 'keys' };
  expect(
    foundBy(proposeSharedLimits, 'read', { budgets: once, anonymous }).map(({ deviations: [each] }) => each),
  ).toEqual(expect.arrayContaining([expect.objectContaining({ parameters: expect.objectContaining(parameters) })]));
});
