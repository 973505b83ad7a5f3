import { expect, test } from 'vitest';
import { foundBy, runOfDraw } from './deviating-world.test-support.ts';
import { proposeTriggers } from './trigger.ts';

test('a burst around the end of a window shows which of its requests belong to which, by their markers', async () => {
  // Each refusal ends the window 5 s later, behind a network on which a burst takes most of a second.
  const run = await runOfDraw('moved-end', 995_113);
  for (const kind of ['read', 'write'] as const) {
    const rule = { trigger: 'refusal', to: { later: 5_000_000 } };
    expect(foundBy(proposeTriggers, kind, run).map(({ deviations }) => deviations)).toContainEqual([
      { operator: 'moved-end', parameters: expect.objectContaining(rule) },
    ]);
  }
});
