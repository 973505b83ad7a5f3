import { expect, test } from 'vitest';
import { foundBy, runOfDraw, runUnder } from './deviating-world.test-support.ts';
import { proposeLostCounts } from './split.ts';

test('the kind that shows when a restart was explains the other one, on a very slow network', async () => {
  const run = await runOfDraw('counters-lost', 277750);
  for (const kind of ['read', 'write'] as const) {
    const [found] = foundBy(proposeLostCounts, kind, run);
    expect(found?.deviations).toMatchObject([{ operator: 'counters-lost', parameters: { kinds: [kind] } }]);
  }
});

test.each([5, 10, 20])('the pause told ends a window if one of %d s does', async (seconds) => {
  const idle = seconds * 1_000_000;
  const parameters = { kinds: ['read', 'write'], trigger: 'idle', to: { after: 0 }, idle, told: false } as const;
  const run = await runUnder([{ operator: 'moved-end', parameters }], { name: 'anchored', wholeSecond: false });
  const [deviation] = foundBy(proposeLostCounts, 'read', run)[0]?.deviations ?? [];
  expect(deviation?.operator === 'moved-end' && deviation.parameters.idle >= idle).toBe(true);
});

test.each(['anchored', 'grid'] as const)(
  'counts that are lost again and again are told by how often at the least, under %s',
  async (name) => {
    const mechanism = name === 'grid' ? ({ name, phase: 'clock' } as const) : ({ name, wholeSecond: false } as const);
    const kinds = ['read', 'write'] as const;
    const run = await runUnder(
      [{ operator: 'counters-lost', parameters: { kinds, at: 9_000_000, again: 4 } }],
      mechanism,
    );
    const [found] = foundBy(proposeLostCounts, 'write', run);
    const [deviation] = found?.deviations ?? [];
    const again = deviation?.operator === 'counters-lost' ? deviation.parameters.again : undefined;
    // A loss that no budget shows is not told.
    expect(again).toBeGreaterThan(0);
    expect(again).toBeLessThanOrEqual(4);
  },
);

test('windows that end when their markers say are none that were lost', async () => {
  for (const mechanism of [
    { name: 'grid', phase: 'clock' },
    { name: 'anchored', wholeSecond: false },
  ] as const) {
    const run = await runUnder([], mechanism);
    const found = (['read', 'write'] as const).flatMap((kind) => foundBy(proposeLostCounts, kind, run));
    const again = found.flatMap(({ deviations }) => deviations.filter(({ parameters }) => 'again' in parameters));
    expect(again).toEqual([]);
  }
});
