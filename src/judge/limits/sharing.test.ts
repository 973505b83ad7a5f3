import { expect, test } from 'vitest';
import type { RunFacts } from './next-run.ts';
import { sharingWitnesses, type Use } from './sharing.ts';

const facts: RunFacts = { certified: true, spends: true, keys: 2, broken: false };

/** A budget of a key that sent requests, none of which a deployment explains. */
const unexplained = (kind: 'read' | 'write'): Use =>
  ({
    subject: { budget: { key: 'key-1', kind, exchanges: [{}] }, explained: [] },
    ...{ events: [], times: [], anonymous: 0 },
  }) as unknown as Use;

test('where budgets were used that nothing explains, it is not said that they were not used', () => {
  const [ruling] = sharingWitnesses('LIMIT-RW', [unexplained('read'), unexplained('write')], facts);
  expect(ruling?.summary).toMatch(/^Among the budgets that the run explains, no key was used for reads and writes/);
  expect(sharingWitnesses('LIMIT-RW', [], facts)[0]?.summary).toMatch(/^No key was used for reads and writes/);
});

test('where a profile has one operation of each kind, a second one is asked for', () => {
  const using = (...operations: readonly (string | null)[]): Use =>
    ({
      subject: { budget: { key: 'key-1', kind: 'read', exchanges: operations.map((operation) => ({ operation })) } },
      ...{ events: [], times: [], anonymous: 0 },
    }) as unknown as Use;
  const remedy = (...uses: readonly Use[]) => sharingWitnesses('LIMIT-SCOPE', uses, facts)[0]?.remedy;
  expect(remedy(using('get-label', null), using('get-label'))).toBe(
    'Add a second read or write operation to the profile.',
  );
  expect(remedy(using('get-label', 'list-labels'))).toMatch(/^Wait two minutes/);
});
