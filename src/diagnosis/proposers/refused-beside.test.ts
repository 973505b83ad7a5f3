import { expect, test } from 'vitest';
import { sampled, thorough } from '../../../test/sampled.test-support.ts';
import type { RefusedBeside } from '../../deployment/deviations/refused-beside.ts';
import type { Kind } from '../../trace/exchange.ts';
import type { Proposer } from '../proposal.ts';
import { withEvents } from '../world.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { proposeRefusedBeside } from './refused-beside.ts';
import { proposeSharedLimits } from './second-limit.ts';

const BOTH = ['read', 'write'] as const;
const beside = (kinds: readonly Kind[], of: RefusedBeside['of'], rest: Partial<RefusedBeside> = {}) =>
  ({ operator: 'refused-beside', parameters: { kinds, of, ...rest } }) as const;

test.each<[readonly Kind[], RefusedBeside['of']]>(
  sampled(
    [
      [BOTH, 'the other kind'],
      [['write'], 'the other kind'],
      [BOTH, 'another key'],
      [['read'], 'another key'],
    ],
    10,
  ),
)('refusals of %j while the budget of %s is spent are found', async (kinds, of) => {
  const run = await runUnder([beside(kinds, of)]);
  for (const kind of BOTH) {
    const found = foundBy(proposeRefusedBeside, kind, run).flatMap(({ deviations }) => deviations);
    if (kinds.includes(kind)) expect(found).toContainEqual(beside([kind], of));
  }
});

test('a key of which both kinds are refused once one was refused some times is found', async () => {
  const run = await runUnder([beside(BOTH, 'the other kind', { nth: 5 })]);
  const counts = BOTH.map((kind) => {
    const [found] = foundBy(proposeRefusedBeside, kind, run);
    expect(found?.deviations).toMatchObject([beside([kind], 'the other kind')]);
    const [parameters] = (found?.deviations ?? []).map((each) => each.parameters as RefusedBeside);
    return parameters?.nth ?? 1;
  });
  // The run need not let anything through after each of the first refusals, but it does after some of the writes.
  expect(Math.max(...counts)).toBeGreaterThan(1);
  expect(Math.max(...counts)).toBeLessThanOrEqual(5);
});

thorough('nothing is refused because of so many refusals before so many have been sent', async () => {
  let left = 0;
  const examine: Proposer = function* (world, context) {
    const refusals = context.otherKind.flatMap(({ key, events }) => {
      return events.flatMap(({ outcome, from }) => (outcome === 'refused' ? [{ key, from }] : []));
    });
    for (const proposal of proposeRefusedBeside(world, context)) {
      const [{ parameters } = beside(BOTH, 'another key')] = proposal.deviations;
      const nth = 'nth' in parameters && typeof parameters.nth === 'number' ? parameters.nth : 1;
      for (const [at, { key, events }] of proposal.world.histories.entries()) {
        const opened = world.histories[at]?.events.filter((each, index) => each !== events[index]) ?? [];
        for (const { to } of nth === 1 ? [] : opened) {
          left += 1;
          const before = refusals.filter((each) => each.key === key && each.from <= to);
          expect(before.length).toBeGreaterThanOrEqual(nth);
        }
      }
      yield proposal;
    }
  };
  // Where a penalty refuses both kinds at the same time, each seems to follow the other.
  const penalty = beside(BOTH, 'the same budget', { memory: 30e6 });
  for (const run of [
    await runUnder([penalty], { name: 'anchored', wholeSecond: false }),
    await runUnder([beside(BOTH, 'the other kind', { nth: 5 })]),
  ]) {
    for (const kind of BOTH) foundBy(examine, kind, run);
  }
  expect(left).toBeGreaterThan(0);
});

test.each(sampled(BOTH, 2))(
  'refusals of %ss for some time after the other kind was refused are found',
  async (kind) => {
    const run = await runUnder([beside([kind], 'the other kind', { memory: 10e6 })]);
    const parameters = { kinds: [kind], of: 'the other kind', memory: expect.any(Number) };
    expect(foundBy(proposeRefusedBeside, kind, run)[0]?.deviations).toMatchObject([{ parameters }]);
  },
);

test.each(sampled(BOTH, 2))('refusals of %ss for some time after another key was refused are found', async (kind) => {
  const run = await runUnder([beside(BOTH, 'another key', { memory: 30e6 })]);
  const found = foundBy(proposeRefusedBeside, kind, run).flatMap(({ deviations }) => deviations);
  expect(found).toContainEqual(beside([kind], 'another key', { memory: 30e6 }));
});

thorough(
  'requests that are refused now and then are not refused by another budget, even if what is let through may not be counted',
  async () => {
    const run = await runUnder([{ operator: 'early-refusal', parameters: { kinds: BOTH, underWay: null, oneIn: 10 } }]);
    const doubted = run.budgets.map(({ history }) => ({
      history: withEvents(history, (event) =>
        event.outcome === 'accepted' ? { ...event, outcome: 'doubtful', remaining: null } : event,
      ),
    }));
    for (const budgets of [run.budgets, doubted]) {
      for (const kind of BOTH) {
        expect(foundBy(proposeRefusedBeside, kind, { ...run, budgets })).toEqual([]);
        expect(foundBy(proposeSharedLimits, kind, { ...run, budgets })).toEqual([]);
      }
    }
  },
);
