import { expect, test } from 'vitest';
import type { RefusedBeside } from '../../deployment/deviations/refused-beside.ts';
import type { Kind } from '../../trace/exchange.ts';
import { withEvents } from '../world.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { proposeRefusedBeside } from './refused-beside.ts';
import { proposeSharedLimits } from './second-limit.ts';

const BOTH = ['read', 'write'] as const;
const beside = (kinds: readonly Kind[], of: RefusedBeside['of'], rest: Partial<RefusedBeside> = {}) =>
  ({ operator: 'refused-beside', parameters: { kinds, of, ...rest } }) as const;

test.each<[readonly Kind[], RefusedBeside['of']]>([
  [BOTH, 'the other kind'],
  [['write'], 'the other kind'],
  [BOTH, 'another key'],
  [['read'], 'another key'],
])('refusals of %j while the budget of %s is spent are found', async (kinds, of) => {
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

test.each(BOTH)('refusals of %ss for some time after the other kind was refused are found', async (kind) => {
  const run = await runUnder([beside([kind], 'the other kind', { memory: 10e6 })]);
  const parameters = { kinds: [kind], of: 'the other kind', memory: expect.any(Number) };
  expect(foundBy(proposeRefusedBeside, kind, run)[0]?.deviations).toMatchObject([{ parameters }]);
});

test.each(BOTH)('refusals of %ss for some time after another key was refused are found', async (kind) => {
  const run = await runUnder([beside(BOTH, 'another key', { memory: 30e6 })]);
  const found = foundBy(proposeRefusedBeside, kind, run).flatMap(({ deviations }) => deviations);
  expect(found).toContainEqual(beside([kind], 'another key', { memory: 30e6 }));
});

test('requests that are refused now and then are not refused by another budget, even if what is let through may not be counted', async () => {
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
});
