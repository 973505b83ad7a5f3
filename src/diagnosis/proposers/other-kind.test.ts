import { expect, test } from 'vitest';
import type { Deviation } from '../../deployment/operators.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { proposeOtherKind } from './other-kind.ts';

const filedAsReads = (...operations: readonly string[]): Deviation => {
  return { operator: 'charged-as-other-kind', parameters: { kind: 'write', operations } };
};

test.each([
  ['a group', ['create-label', 'delete-label', 'update-label']],
  ['several', ['update-category', 'update-service']],
])('the operations that are charged as reads are found: %s', async (_, operations) => {
  const filed = filedAsReads(...operations);
  const run = await runUnder([filed]);
  for (const kind of ['read', 'write'] as const) {
    expect(foundBy(proposeOtherKind, kind, run)[0]?.deviations).toEqual([filed]);
  }
});
