import { expect, test } from 'vitest';
import { sampled, thorough } from '../../../test/sampled.test-support.ts';
import type { RemainingHeader } from '../../deployment/deviations/remaining-header.ts';
import { breaks, type Deviation } from '../../deployment/operators.ts';
import { withEvents } from '../world.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { proposeRemainingRules } from './remaining-rule.ts';
import { proposeReporters } from './reporters.ts';

const RULES: readonly Pick<RemainingHeader, 'change' | 'only'>[] = [
  { change: { offset: 1 }, only: 'all' },
  { change: { offset: -4 }, only: 'all' },
  { change: { offset: -1 }, only: { statuses: [404] } },
  { change: { offset: 3 }, only: { statuses: [200] } },
  { change: { offset: 1 }, only: { statuses: [429] } },
  { change: { offset: 1 }, only: { statuses: [400, 404] } },
  { change: { offset: 1 }, only: { statuses: [200, 400, 403, 404, 500] } },
  { change: { stale: 1 }, only: 'all' },
  { change: { stale: 2 }, only: 'all' },
  { change: 'used', only: 'all' },
  { change: { atLeast: 2 }, only: 'all' },
  { change: { atMost: 20 }, only: 'all' },
];

test.each(sampled(RULES, 10))('a rule by which Remaining tells what is left is read: %j', async (rule) => {
  const run = await runUnder([{ operator: 'remaining-header', parameters: { kinds: ['write'], ...rule } }]);
  const [cheapest] = foundBy(proposeRemainingRules, 'write', run);
  expect(cheapest?.deviations).toMatchObject([{ operator: 'remaining-header', parameters: rule }]);
});

thorough(
  'where no failed request shows it, what is told wrongly on successes is told so on all that is not refused',
  async () => {
    const parameters = { kinds: ['write'], change: { offset: 1 }, only: { statuses: [200] } } as const;
    const run = await runUnder([{ operator: 'remaining-header', parameters }]);
    const budgets = run.budgets.map(({ history }) => ({
      history: withEvents(history, (event) =>
        event.outcome === 'failed' && history.kind === 'write' ? { ...event, remaining: null } : event,
      ),
    }));
    const [cheapest] = foundBy(proposeRemainingRules, 'write', { ...run, budgets });
    const [found] = (cheapest?.deviations ?? []).map((each) => each.parameters as RemainingHeader);
    expect(found?.only).toMatchObject({ statuses: expect.arrayContaining([200, 400, 404]) });
  },
);

const CONSTANT: readonly Pick<RemainingHeader, 'change' | 'only'>[] = [
  { change: 'the limit', only: 'all' },
  { change: { constant: 7 }, only: 'all' },
  { change: { roundedDownTo: 10 }, only: 'all' },
];

test.each(sampled(CONSTANT, 10))('a rule by which Remaining does not tell what is left is named: %j', async (rule) => {
  const run = await runUnder([{ operator: 'remaining-header', parameters: { kinds: ['write'], ...rule } }]);
  const [cheapest] = foundBy(proposeReporters, 'write', run);
  expect(cheapest?.deviations).toMatchObject([{ operator: 'remaining-header', parameters: rule }]);
});

test('refusals tell a lower bound of Remaining, too', async () => {
  const change = { atLeast: 1 };
  const bound: Deviation = { operator: 'remaining-header', parameters: { kinds: ['write'], change, only: 'all' } };
  const { budgets, anonymous } = await runUnder([bound]);
  // Two of the accepted requests of a window are at the bound.
  const [own] = budgets.filter(({ history }) => history.kind === 'write' && history.key === 'key-1');
  const end = own?.history.events.find(({ outcome }) => outcome === 'refused')?.reset;
  const first = own && withEvents(own.history, (event) => (event.reset === end ? event : null));
  const found = foundBy(proposeRemainingRules, 'write', { budgets: first ? [{ history: first }] : [], anonymous });
  expect(found.flatMap(({ deviations }) => deviations)).toContainEqual(bound);
});

test('where no refusal is seen, nothing shows that one has some left', async () => {
  const change = { offset: 2 };
  const raised: Deviation = { operator: 'remaining-header', parameters: { kinds: ['write'], change, only: 'all' } };
  const { budgets, anonymous } = await runUnder([raised]);
  const accepting = budgets.map(({ history }) => ({
    history: withEvents(history, (event) => (event.outcome === 'refused' ? null : event)),
  }));
  const found = foundBy(proposeRemainingRules, 'write', { budgets: accepting, anonymous });
  const [first, second] = found;
  expect(second?.bits).toBe(first?.bits);
  expect([first, second].map((each) => each?.deviations.flatMap(breaks))).toEqual([['HDR-4', 'HDR-5'], ['HDR-4']]);
});

test('no rule is read off a budget that conforms in bursts alone', async () => {
  const run = await runUnder([]);
  const burst = run.budgets.map(({ history }) => ({
    history: { ...history, events: history.events.filter(({ from, to }, at, all) => (all[at + 1]?.from ?? from) < to) },
  }));
  const stale = foundBy(proposeRemainingRules, 'write', { ...run, budgets: burst }).flatMap((each) => each.deviations);
  expect(stale.filter(({ parameters }) => JSON.stringify(parameters).includes('stale'))).toEqual([]);
});
