import { expect, test } from 'vitest';
import { SECOND } from '../../deployment/deployment.ts';
import type { Kind } from '../../trace/exchange.ts';
import { proposeClocks } from './clocks.ts';
import { foundBy, runOfDraw } from './deviating-world.test-support.ts';

test('the kind that asks at the turn of a window shows by how much the clocks of both kinds differ', async () => {
  const run = await runOfDraw('clocks-apart', 277449);
  const alone = (kind: Kind) => ({ ...run, budgets: run.budgets.filter(({ history }) => history.kind === kind) });
  expect(foundBy(proposeClocks, 'write', alone('write'))).toEqual([]);
  for (const kind of ['read', 'write'] as const) {
    const [found] = foundBy(proposeClocks, kind, run);
    const parameters = { kinds: [kind], ahead: 8 * SECOND };
    expect(found?.deviations).toMatchObject([{ operator: 'clocks-apart', parameters }]);
  }
});
