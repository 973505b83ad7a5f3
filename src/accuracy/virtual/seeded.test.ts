import { expect, test } from 'vitest';
import { sampled } from '../../../test/sampled.test-support.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { conductOf, defectNamed } from '../../reference/conduct.ts';
import { wholeProfile } from './draw-profile.ts';
import { virtualRun } from './virtual-run.ts';

/**
 * Of each class of defect that only a covering plan finds: what it tries in every combination that the words of a
 * clause allow.
 */
const NAMES = [
  'key-case-ignored',
  'key-by-its-beginning',
  'key-by-its-end',
  'key-without-spaces',
  'key-percent-decoded',
  'key-without-accents',
  'first-key-of-a-list',
  'bearer-in-x-api-key',
  'basic-accepted',
  'any-scheme-accepted',
  'no-scheme-accepted',
  'permission-unchecked-by-bearer',
  'permission-unchecked-by-x-api-key',
  'permission-unchecked-on-labels',
  'no-headers-on-labels',
  'no-headers-on-an-operation',
  'no-headers-by-bearer',
  'no-headers-on-malformed-json',
  'malformed-json-500',
  'refused-by-reset',
  'per-path',
  'search-not-limited',
  'sublimit-of-an-operation',
  'sublimit-of-labels',
  'sublimit-of-updates',
  'sublimit-by-header',
];

test.each(sampled(NAMES, 40))('%s is found under what it breaks, and nothing else is', async (name) => {
  const { must, may } = defectNamed(name);
  const { trace } = await virtualRun({
    profile: wholeProfile(),
    keys: 4,
    conduct: conductOf(null, name),
    seed: 3,
    epoch: Date.UTC(2026, 10, 21, 8, 30, 17) * 1000,
  });
  const { verdicts } = judgeTrace(trace);
  const failed = verdicts.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  expect(failed).toEqual(expect.arrayContaining([...must]));
  expect(failed.filter((id) => !must.includes(id) && !may.includes(id))).toEqual([]);
});
