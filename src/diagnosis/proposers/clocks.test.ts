import { expect, test } from 'vitest';
import { SECOND } from '../../deployment/deployment.ts';
import type { Deviation } from '../../deployment/operators.ts';
import { proposeClocks } from './clocks.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';

const BOTH = ['read', 'write'] as const;
const early = (ahead: number, routing: 'in turn' | 'at random' | 'by connection'): Deviation => ({
  operator: 'clocks-apart',
  parameters: { kinds: BOTH, ahead: ahead * SECOND, routing },
});

test.each([
  [25, 'in turn'],
  [25, 'at random'],
  [10, 'by connection'],
] as const)('nodes whose clocks are %i s ahead are found, to which requests come %s', async (ahead, routing) => {
  const run = await runUnder([early(ahead, routing)]);
  for (const kind of BOTH) {
    const [found] = foundBy(proposeClocks, kind, run);
    const [deviation] = found?.deviations ?? [];
    if (deviation?.operator !== 'clocks-apart') throw new Error(`no clocks that differ were found for ${kind}s`);
    expect(deviation.parameters.ahead).toBeLessThanOrEqual(ahead * SECOND);
    expect(deviation.parameters.ahead).toBeGreaterThan(0);
  }
});

test('nothing is said of clocks if windows begin for all at once, or if each node counts by itself', async () => {
  const nodes: Deviation = {
    operator: 'nodes-apart',
    parameters: { kinds: BOTH, nodes: 2, sync: null, routing: 'in turn' },
  };
  for (const deviations of [[], [nodes]]) {
    const run = await runUnder(deviations);
    for (const kind of BOTH) expect(foundBy(proposeClocks, kind, run)).toEqual([]);
  }
});
