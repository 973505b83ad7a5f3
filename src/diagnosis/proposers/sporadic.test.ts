import { expect, test } from 'vitest';
import { sampled, thorough } from '../../../test/sampled.test-support.ts';
import { SECOND } from '../../deployment/deployment.ts';
import type { Event, History } from '../../oracle/history.ts';
import { hold } from '../explained.ts';
import { conformingWorld } from '../world.ts';
import { contextOf } from './context.test-support.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { proposeDoubled, proposeForgotten } from './sporadic.ts';
import { proposeUnchecked } from './unchecked.ts';

const BOTH = ['read', 'write'] as const;

test.each(sampled(BOTH, 2))('%ss that are counted twice now and then are found', async (kind) => {
  const run = await runUnder([{ operator: 'sporadic-weight', parameters: { kinds: [kind], oneIn: 10, weight: 2 } }]);
  expect(foundBy(proposeDoubled, kind, run)[0]?.deviations).toMatchObject([{ parameters: { weight: 2 } }]);
});

test('requests of which it is open what became of them may be counted twice, too', () => {
  // Two of twenty whose answers show nothing cost two, before the first one whose answer does.
  const told = [...Array.from({ length: 20 }, () => null), ...Array.from({ length: 30 }, (_, at) => 77 - at)];
  const events = told.map((remaining, seq) => ({
    ...{ exchange: { seq, connection: seq }, from: seq * 1000, to: seq * 1000 + 500, group: '', reset: null },
    ...{ outcome: remaining === null ? 'unclear' : 'accepted', remaining },
  }));
  const history = {
    ...{ key: 'key-1', kind: 'read', limit: 100, shown: 100, unit: null, offset: { low: 0, high: 0 } },
    ...{ events: events as unknown as readonly Event[], until: Number.POSITIVE_INFINITY },
  } as unknown as History;
  const context = contextOf('read');
  const [found] = proposeDoubled(conformingWorld([history]), context);
  expect(found?.deviations).toMatchObject([{ operator: 'sporadic-weight', parameters: { weight: 2 } }]);
  expect(found && hold(found, context)).not.toBe(null);
});

test.each(BOTH)(
  'a Remaining that is one too low at some counts of %ss is no request that is counted twice',
  async (kind) => {
    const run = await runUnder([]);
    // As by int(limit * (1 - used / limit)): the count itself is right.
    const budgets = run.budgets.map(({ history }) => ({
      history: {
        ...history,
        events: history.events.map((event) =>
          event.remaining && event.remaining % 7 === 3 ? { ...event, remaining: event.remaining - 1 } : event,
        ),
      },
    }));
    expect(foundBy(proposeDoubled, kind, { ...run, budgets })).toEqual([]);
  },
);

test.each(sampled(BOTH, 2))(
  'few %ss that are let through unchecked are found, though most windows have none',
  async (kind) => {
    const run = await runUnder([
      { operator: 'sporadic-admission', parameters: { kinds: [kind], oneIn: 60, which: 'any' } },
    ]);
    expect(foundBy(proposeUnchecked, kind, run)[0]?.deviations).toMatchObject([{ parameters: { which: 'any' } }]);
  },
);

test.each(sampled(BOTH, 2))(
  '%ss that are all let through while an outage lasts are found, with its time',
  async (kind) => {
    const during = { from: 20 * SECOND, to: 50 * SECOND };
    const run = await runUnder([
      { operator: 'sporadic-admission', parameters: { kinds: [kind], oneIn: 1, which: 'any', during } },
    ]);
    const [found] = foundBy(proposeUnchecked, kind, run);
    expect(found?.deviations).toMatchObject([{ parameters: { oneIn: 1, during: expect.anything() } }]);
    const [deviation] = found?.deviations ?? [];
    const told = deviation?.operator === 'sporadic-admission' ? deviation.parameters.during : undefined;
    expect(told?.from).toBeGreaterThanOrEqual(during.from);
    expect(told?.to).toBeLessThanOrEqual(during.to + SECOND);
  },
);

thorough.each([
  { attribute: 'credential', classes: ['bearer'] },
  { attribute: 'operation', classes: ['get-label'] },
] as const)('that only some requests are forgotten now and then is found: %j', async (of) => {
  const run = await runUnder([
    { operator: 'sporadic-weight', parameters: { kinds: ['read'], oneIn: 2, weight: 0, of } },
  ]);
  expect(foundBy(proposeForgotten, 'read', run)[0]?.deviations).toMatchObject([{ parameters: { weight: 0, of } }]);
});

thorough(
  'requests that are neither counted nor refused now and then are told as such, without another deviation',
  async () => {
    const run = await runUnder([
      { operator: 'sporadic-weight', parameters: { kinds: ['read'], oneIn: 10, weight: 0 } },
    ]);
    const budgets = run.budgets.map(({ history }) => {
      let refusals = 0;
      const events = history.events.map((event) => {
        refusals += Number(event.outcome === 'refused');
        return event.outcome === 'refused' && refusals % 5 === 0 ? { ...event, outcome: 'accepted' as const } : event;
      });
      return { history: { ...history, events } };
    });
    const [cheapest] = foundBy(proposeForgotten, 'read', { ...run, budgets });
    expect(cheapest?.deviations).toMatchObject([{ operator: 'sporadic-weight', parameters: { weight: 0 } }]);
  },
);

thorough('that any request is forgotten now and then is not told of some', async () => {
  const run = await runUnder([{ operator: 'sporadic-weight', parameters: { kinds: ['read'], oneIn: 10, weight: 0 } }]);
  const [cheapest] = foundBy(proposeForgotten, 'read', run);
  expect(cheapest?.deviations).toEqual([
    { operator: 'sporadic-weight', parameters: expect.not.objectContaining({ of: expect.anything() }) },
  ]);
});
