import { expect, test } from 'vitest';
import { foundBy, runOfDraw } from './proposers/deviating-world.test-support.ts';
import { proposeLostCounts } from './proposers/split.ts';

test('parts of a budget that may have one grid are not charged for one each', async () => {
  // A pause of 10 s ends the windows of a grid. Parts with a few requests fit any phase, that of the others as well.
  const [cheapest] = foundBy(proposeLostCounts, 'read', await runOfDraw('moved-end', 995_120));
  expect(cheapest?.deviations).toMatchObject([{ operator: 'moved-end', parameters: { trigger: 'idle' } }]);
  expect(cheapest?.shape?.mechanism).toBe('grid');
  expect(cheapest?.bits).toBeLessThan(20);
});
