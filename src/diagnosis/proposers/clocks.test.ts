import { expect, test } from 'vitest';
import { SECOND } from '../../deployment/deployment.ts';
import type { Kind } from '../../trace/exchange.ts';
import { proposeClocks } from './clocks.ts';
import { foundBy, runOfDraw } from './deviating-world.test-support.ts';

test('the kind that asks at the turn of a window shows by how much the clocks of both kinds differ', async () => {
  const run = await runOfDraw('clocks-apart', 277449);
  const alone = (kind: Kind) => ({ ...run, budgets: run.budgets.filter(({ history }) => history.kind === kind) });
  expect(foundBy(proposeClocks, 'read', alone('read'))[0]?.deviations).not.toMatchObject([
    { parameters: { ahead: 10 * SECOND } },
  ]);
  for (const kind of ['read', 'write'] as const) {
    const [found] = foundBy(proposeClocks, kind, run);
    const parameters = { kinds: [kind], ahead: 10 * SECOND };
    expect(found?.deviations).toMatchObject([{ operator: 'clocks-apart', parameters }]);
  }
});

test.each([
  ['a window has not begun for all before the end that the markers of the one before tell', 292487, 'read', 8],
  ['markers that are computed from the time left are those of windows on a grid', 292799, 'write', 24],
] as const)('%s', async (_, seed, kind, ahead) => {
  const [found] = foundBy(proposeClocks, kind, await runOfDraw('clocks-apart', seed));
  const parameters = { kinds: [kind], ahead: ahead * SECOND };
  expect(found?.deviations).toMatchObject([{ operator: 'clocks-apart', parameters }]);
});

test('the others may be behind the clock of `Date`, so that their markers seem to have passed', async () => {
  const run = await runOfDraw('clocks-apart', 292487);
  const behind = run.budgets.map(({ history }) => {
    const { low, high } = history.offset;
    return { history: { ...history, offset: { low: low + 8 * SECOND, high: high + 8 * SECOND } } };
  });
  const [found] = foundBy(proposeClocks, 'read', { ...run, budgets: behind });
  expect(found?.deviations).toMatchObject([{ operator: 'clocks-apart' }]);
});

test('nodes that get the requests of each kind in turn need no statement of where each one went', async () => {
  const run = await runOfDraw('clocks-apart', 292558);
  for (const kind of ['read', 'write'] as const) {
    const [found] = foundBy(proposeClocks, kind, run);
    expect(found?.deviations).toMatchObject([{ parameters: { routing: 'in turn' } }]);
  }
});
