import { expect, test } from 'vitest';
import { foundBy, runOfDraw } from './deviating-world.test-support.ts';
import { proposeLostCounts } from './split.ts';

test('the kind that shows when a restart was explains the other one, on a very slow network', async () => {
  const run = await runOfDraw('counters-lost', 277750);
  for (const kind of ['read', 'write'] as const) {
    const [found] = foundBy(proposeLostCounts, kind, run);
    expect(found?.deviations).toMatchObject([{ operator: 'counters-lost', parameters: { kinds: [kind] } }]);
  }
});
