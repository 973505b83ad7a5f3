import { expect, test } from 'vitest';
import { thorough } from '../../../test/sampled.test-support.ts';
import { EPOCH, exchanges, headers } from '../../judge/trace-builder.test-support.ts';
import { makeHistory } from '../../oracle/make-history.ts';
import { inferMarker } from '../../oracle/marker.ts';
import { Work } from '../../oracle/work.ts';
import { Fitter } from '../fitter.ts';
import { conformingWorld } from '../world.ts';
import { foundBy, runOfDraw, runUnder } from './deviating-world.test-support.ts';
import { proposeLostCounts } from './split.ts';

thorough('the kind that shows when a restart was explains the other one, on a very slow network', async () => {
  const run = await runOfDraw('counters-lost', 277750);
  for (const kind of ['read', 'write'] as const) {
    const [found] = foundBy(proposeLostCounts, kind, run);
    expect(found?.deviations).toMatchObject([{ operator: 'counters-lost', parameters: { kinds: [kind] } }]);
  }
});

thorough.each([5, 10, 20])('the pause told ends a window if one of %d s does', async (seconds) => {
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

thorough('windows that end when their markers say are none that were lost', async () => {
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

test('counts that two budgets lose at once are lost once', () => {
  const second = (at: number, remaining: number, took = 0.01) => ({
    sent: at * 1e6,
    answered: (at + took) * 1e6,
    headers: headers({ remaining: [`${remaining}`], reset: ['1795257060'] }),
  });
  const all = exchanges(...[0, 3].flatMap((at) => [second(at, 99), second(at + 1, 98, 1), second(at + 1.5, 99)]));
  const ofKey = (key: string) => makeHistory(all, { key, kind: 'read' }, inferMarker(all, EPOCH), { low: 0, high: 0 });
  const context = { kind: 'read', otherKind: [], likely: [], work: new Work(1e6) } as const;
  const world = conformingWorld(['key-1', 'key-2'].map(ofKey));
  const found = [
    ...proposeLostCounts(world, { ...context, anonymous: [], background: null, fitter: new Fitter(context.work) }),
  ];
  const again = found.flatMap(({ deviations }) =>
    deviations.flatMap(({ parameters }) => ('again' in parameters ? [parameters.again] : [])),
  );
  expect(again).toEqual([2]);
});
