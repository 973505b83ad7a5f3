import { expect, test } from 'vitest';
import { WINDOW } from '../../oracle/history.ts';
import { proposeEndsByOtherKind } from './beside.ts';
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

test.each([
  [888_048, 'read'],
  [888_413, 'write'],
] as const)(
  'the end that a window had before requests beside its first one moved it is known (%i)',
  async (draw, kind) => {
    const [found] = foundBy(proposeEndsByOtherKind, kind, await runOfDraw('moved-end', draw));
    expect(found?.deviations).toMatchObject([{ parameters: { trigger: 'other kind', to: { after: WINDOW } } }]);
  },
);
