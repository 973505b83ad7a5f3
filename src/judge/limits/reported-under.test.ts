import { expect, test } from 'vitest';
import { thorough } from '../../../test/sampled.test-support.ts';
import { PLAIN_RUN } from '../../accuracy/virtual/plain-run.test-support.ts';
import { virtualRun } from '../../accuracy/virtual/virtual-run.ts';
import type { Deviation } from '../../deployment/operators.ts';
import type { KindDiagnosis } from '../../diagnosis/diagnose.ts';
import { conductOf } from '../../reference/conduct.ts';
import { judgeTrace } from '../judge-trace.ts';
import { exchanges, headers } from '../trace-builder.test-support.ts';
import { countsFromToldLimit } from './reported-under.ts';

test.each([
  ['1000 less what was used', 1000, 900, true],
  ['what is left of 1000, which others use, too', 1000, 640, true],
  ['99 less what was used', 99, -1, true],
  ['one too high, beside another Limit', 1000, 1, false],
  ['one too low, beside another Limit', 1000, -1, false],
  ['more than the Limit beside it', 1000, 950, false],
  ['five too high, beside the right Limit', 100, 5, false],
])('Remaining that is %s', (_, limit, offset, expected) => {
  const parameters = { kinds: ['read', 'write'], change: { offset }, only: 'all' } as const;
  const deviation: Deviation = { operator: 'remaining-header', parameters };
  const events = exchanges({ headers: headers({ limit: [String(limit)] }) }).map((exchange) => ({ exchange }));
  const diagnosis = { kind: 'read', world: { histories: [{ events }] } } as unknown as KindDiagnosis;
  expect(countsFromToldLimit(deviation, diagnosis)).toBe(expected);
});

thorough(
  'where Limit and Remaining are those of another policy, HDR-3 is the failure from which the others follow',
  async () => {
    const { trace } = await virtualRun({ ...PLAIN_RUN, conduct: conductOf(null, 'value-of-another-policy') });
    const failed = judgeTrace(trace).verdicts.filter(({ verdict }) => verdict === 'fail');
    expect(failed.map(({ id, followsFrom }) => [id, followsFrom?.[0]])).toEqual([
      ['HDR-3', undefined],
      ['HDR-4', 'HDR-3'],
      ['HDR-5', 'HDR-3'],
    ]);
  },
);
