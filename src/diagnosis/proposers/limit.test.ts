import { expect, test } from 'vitest';
import { thorough } from '../../../test/sampled.test-support.ts';
import { drawRun } from '../../accuracy/virtual/draw-run.ts';
import { virtualRun } from '../../accuracy/virtual/virtual-run.ts';
import type { Deviation } from '../../deployment/operators.ts';
import { readEvidence } from '../../judge/limits/budgets.ts';
import { inShare } from '../share.ts';
import { conformingWorld } from '../world.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { proposeLimits } from './limit.ts';

test('what others spent once is no limit of the key', async () => {
  // Others spend the reads of both keys after 14 s, so one is refused after 29 of its own requests.
  const { trace } = await virtualRun(drawRun('used by others', 7000082, null).options);
  const found = foundBy(proposeLimits, 'read', readEvidence(trace));
  expect(found.filter(({ deviations }) => JSON.stringify(deviations).includes('"keys"'))).toEqual([]);
});

thorough('a limit of one key that no header states is found where it is met in two windows', async () => {
  const trial: Deviation = {
    operator: 'other-limit',
    parameters: { kind: 'read', limit: 40, limitHeader: 100, remainingFrom: 100, from: 'always' },
    keys: ['key-2'],
  };
  expect(foundBy(proposeLimits, 'read', await runUnder([trial]))[0]?.deviations).toEqual([trial]);
});

thorough('the limit of the last key is tried before long ones of all keys', async () => {
  const unlimited: Deviation = {
    operator: 'other-limit',
    parameters: { kind: 'write', limit: null, limitHeader: 30, remainingFrom: 30, from: 'always' },
    keys: ['key-4'],
  };
  const { budgets } = await runUnder([unlimited]);
  const world = conformingWorld(budgets.map(({ history }) => history).filter(({ kind }) => kind === 'write'));
  const question = { kind: 'write', otherKind: [], anonymous: [], likely: world.shapes, background: null } as const;
  const bits: number[] = [];
  inShare(20_000_000, question, (own) => {
    for (const proposal of proposeLimits(world, own)) bits.push(proposal.bits);
  });
  expect(bits.length).toBeGreaterThan(4);
  expect(bits).toEqual(bits.toSorted((one, other) => one - other));
});
