import { expect, test } from 'vitest';
import { sampled, thorough } from '../../../test/sampled.test-support.ts';
import { breaks } from '../../deployment/operators.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { proposeReporters } from './reporters.ts';

thorough(
  'a marker that is always a minute ahead on refusals is a minute ahead for both kinds, whatever the clocks leave open',
  async () => {
    const change = { ahead: 60_000_000 };
    const only = { statuses: [429] };
    const parameters = { kinds: ['read', 'write'] as const, change, only };
    const run = await runUnder([{ operator: 'marker-header', parameters }], { name: 'anchored', wholeSecond: false });
    for (const kind of ['read', 'write'] as const) {
      expect(foundBy(proposeReporters, kind, run)[0]?.deviations).toEqual([
        { operator: 'marker-header', parameters: { kinds: [kind], change, only } },
      ]);
    }
  },
);

thorough.each([25, 70])('a marker that moves with the answers is found in the first %i s of a run', async (seconds) => {
  const parameters = { kinds: ['read', 'write'] as const, change: { ahead: 0 }, only: 'all' } as const;
  const grid = { name: 'grid', phase: 'process' } as const;
  const run = await runUnder([{ operator: 'marker-header', parameters }], grid, seconds * 1_000_000);
  for (const kind of ['read', 'write'] as const) {
    const [cheapest] = foundBy(proposeReporters, kind, run);
    expect(cheapest?.deviations).toEqual([{ operator: 'marker-header', parameters: { ...parameters, kinds: [kind] } }]);
  }
});

test('a marker that is read before the request opens its window is wrong on the first answers only', async () => {
  const parameters = { kinds: ['read', 'write'] as const, change: { ahead: -5_000_000 }, only: 'openers' } as const;
  const run = await runUnder([{ operator: 'marker-header', parameters }], { name: 'anchored', wholeSecond: false });
  for (const kind of ['read', 'write'] as const) {
    const [cheapest] = foundBy(proposeReporters, kind, run);
    expect(cheapest?.deviations).toEqual([{ operator: 'marker-header', parameters: { ...parameters, kinds: [kind] } }]);
  }
});

test.each(sampled([429, 404, 400], 3))(
  'a marker in another unit on answers %i is found, and breaks HDR-7',
  async (status) => {
    const parameters = { kinds: ['read', 'write'], change: 'other unit', only: { statuses: [status] } } as const;
    const run = await runUnder([{ operator: 'marker-header', parameters }], { name: 'anchored', wholeSecond: false });
    const [cheapest] = foundBy(proposeReporters, 'read', run);
    expect(cheapest?.deviations).toEqual([
      { operator: 'marker-header', parameters: { ...parameters, kinds: ['read'] } },
    ]);
    expect(cheapest?.deviations.flatMap((each) => breaks(each))).toEqual(['HDR-7']);
  },
);

test.each(sampled([2_000_000, -5_000_000], 2))(
  'a marker that wobbles by %i µs is told by how far apart two of a window lie',
  async (by) => {
    const parameters = { kinds: ['read', 'write'] as const, change: { wobble: by }, only: 'all' } as const;
    const run = await runUnder([{ operator: 'marker-header', parameters }], { name: 'grid', phase: 'process' });
    for (const kind of ['read', 'write'] as const) {
      const changes = foundBy(proposeReporters, kind, run).map(({ deviations }) => deviations[0]?.parameters);
      expect(changes[0]).toMatchObject({ change: { wobble: Math.abs(by) } });
    }
  },
);

thorough.each(['all', { statuses: [429] }] as const)(
  'a marker is scattered after the end of the window on: %j',
  async (only) => {
    const parameters = { kinds: ['read', 'write'] as const, change: { scatter: 10_000_000 }, only };
    const run = await runUnder([{ operator: 'marker-header', parameters }], { name: 'grid', phase: 'process' });
    for (const kind of ['read', 'write'] as const) {
      const [deviation, ...more] = foundBy(proposeReporters, kind, run)[0]?.deviations ?? [];
      const told = deviation?.operator === 'marker-header' ? deviation.parameters : null;
      const scatter = typeof told?.change === 'object' && 'scatter' in told.change ? told.change.scatter : 0;
      expect({ ...told, change: null }).toEqual({ ...parameters, kinds: [kind], change: null });
      expect(more).toEqual([]);
      // Only the widest that was met is known.
      expect(scatter).toBeGreaterThanOrEqual(9_000_000);
      expect(scatter).toBeLessThanOrEqual(10_000_000);
    }
  },
);

test('what refusals alone tell to be left is wrong by HDR-5', async () => {
  const parameters = { kinds: ['read', 'write'] as const, change: { constant: 1 }, only: { statuses: [429] } };
  const wrong = { operator: 'remaining-header', parameters } as const;
  const run = await runUnder([wrong], { name: 'grid', phase: 'process' });
  for (const kind of ['read', 'write'] as const) {
    const [cheapest] = foundBy(proposeReporters, kind, run);
    expect(cheapest?.deviations).toEqual([{ ...wrong, parameters: { ...parameters, kinds: [kind] } }]);
  }
  expect(breaks(wrong)).toEqual(['HDR-5']);
});
