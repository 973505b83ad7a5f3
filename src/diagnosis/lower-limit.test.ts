import { expect, test } from 'vitest';
import type { Mechanism } from '../deployment/deployment.ts';
import type { Deviation } from '../deployment/operators.ts';
import { rulingsOfKinds } from '../judge/limits/kind-rulings.ts';
import { runUnder } from './proposers/deviating-world.test-support.ts';
import { diagnoseRun } from './run.ts';

const COUNTER: Mechanism = { name: 'counter', phase: 'clock', rounding: 'floor', latch: false, reanchor: false };
const ONE_LESS: Deviation = {
  operator: 'other-limit',
  parameters: { kind: 'write', limit: 29, limitHeader: 30, remainingFrom: 29, from: 'always' },
};

/** The ruling on the writes of a run, and the rulings on their limit and on that of reads. */
async function ruled(deviations: readonly Deviation[], keys: readonly string[]) {
  const { budgets, anonymous } = await runUnder(deviations, COUNTER);
  const histories = budgets.map(({ history }) => history).filter(({ key }) => keys.includes(key));
  const { kinds } = diagnoseRun(histories, anonymous);
  const writes = kinds.find(({ diagnosis }) => diagnosis.kind === 'write');
  return { writes, onWrites: rulingsOfKinds('LIMIT-W', kinds), onReads: rulingsOfKinds('LIMIT-R', kinds) };
}

test('where use before the run explains what a limit of one less does, the limit is left open, and nothing else', async () => {
  const { writes, onWrites, onReads } = await ruled([ONE_LESS], ['key-1', 'key-2']);
  expect(writes?.outcome).toBe('conforms');
  expect(onWrites).toMatchObject([{ verdict: 'inconclusive' }]);
  expect(onWrites[0]?.summary).toBe(
    'No answer leaves more than 28 of 30 writes: key-1, key-2 may have been used before the run, or the limit is 29.',
  );
  expect(onReads).toEqual([]);
});

test('where some answer leaves one more, use before the run hides nothing', async () => {
  const { writes, onWrites } = await ruled([], ['key-1', 'key-2']);
  expect(writes?.outcome).toBe('conforms');
  expect(onWrites).toEqual([]);
});

test('where no budget was exhausted, no limit is left open: check within a minute of doctor', async () => {
  const { budgets, anonymous } = await runUnder([]);
  const histories = budgets.map(({ history }) => history).filter(({ key }) => key === 'key-1');
  const later = histories.map((history) => ({ ...history, events: history.events.slice(5, 12) }));
  const { kinds } = diagnoseRun(later, anonymous);
  expect(kinds.find(({ diagnosis }) => diagnosis.kind === 'write')?.diagnosis.conforming?.usedBefore).toEqual([
    'key-1',
  ]);
  expect(kinds.flatMap((kind) => rulingsOfKinds('LIMIT-W', [kind]))).toEqual([]);
});
