import { expect, test } from 'vitest';
import { drawRun } from '../../accuracy/virtual/draw-run.ts';
import { virtualRun } from '../../accuracy/virtual/virtual-run.ts';
import type { Deviation } from '../../deployment/operators.ts';
import { readEvidence } from '../../judge/limits/budgets.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { proposeLimits } from './limit.ts';

test('what others spent once is no limit of the key', async () => {
  // Others spend the reads of both keys after 14 s, so one is refused after 29 of its own requests.
  const { trace } = await virtualRun(drawRun('used by others', 7000082, null).options);
  const found = foundBy(proposeLimits, 'read', readEvidence(trace));
  expect(found.filter(({ deviations }) => JSON.stringify(deviations).includes('"keys"'))).toEqual([]);
});

test('a limit of one key that no header states is found where it is met in two windows', async () => {
  const trial: Deviation = {
    operator: 'other-limit',
    parameters: { kind: 'read', limit: 40, limitHeader: 100, remainingFrom: 100, from: 'always' },
    keys: ['key-2'],
  };
  expect(foundBy(proposeLimits, 'read', await runUnder([trial]))[0]?.deviations).toEqual([trial]);
});
