import { expect, test } from 'vitest';
import { countersLost } from './counters-lost.ts';

const BOTH = ['read', 'write'] as const;

test.each([
  [{ kinds: BOTH, kept: 6, store: 'of both kinds' }, '6 counters of reads and writes together are kept', 'requests'],
  [{ kinds: BOTH, kept: 3 }, '3 counters of each kind are kept', 'requests'],
  [{ kinds: ['read'], kept: 1 }, '1 counter of reads is kept', 'reads'],
  [{ kinds: ['write'], kept: 2, store: 'of keys' }, 'the counters of 2 keys are kept', 'writes'],
] as const)('a store that is too small is told with what it keeps: %j', (parameters, kept, lost) => {
  expect(countersLost.sentence(parameters)).toBe(
    `Only ${kept}, so that counts of ${lost} are lost while others are in use.`,
  );
});
