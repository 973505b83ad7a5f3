import { expect, test } from 'vitest';
import type { Deviation } from '../../deployment/operators.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { proposeSecondLimits } from './second-limit.ts';

const SECOND = 1_000_000;

test.each([
  ['of which no header tells', {}],
  ['of which the answers tell that it refuses', { told: { counted: 'besides', by: 'refusals' } }],
] as const)('a limit of some in a second besides is found: one %s', async (_, told) => {
  const deviation = (kind: 'read' | 'write', limit: number): Deviation => ({
    operator: 'second-limit',
    parameters: { kinds: [kind], only: null, limit, window: SECOND, ...told },
  });
  const run = await runUnder([deviation('read', 30), deviation('write', 15)], { name: 'anchored', wholeSecond: false });
  for (const [kind, limit] of [
    ['read', 30],
    ['write', 15],
  ] as const) {
    expect(foundBy(proposeSecondLimits, kind, run)[0]?.deviations).toMatchObject([
      { parameters: { only: null, limit, window: SECOND, ...told } },
    ]);
  }
});
