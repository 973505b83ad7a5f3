import { expect, test } from 'vitest';
import { sampled, thorough } from '../../../test/sampled.test-support.ts';
import { PLAIN_RUN } from '../../accuracy/virtual/plain-run.test-support.ts';
import { virtualRun } from '../../accuracy/virtual/virtual-run.ts';
import type { Deviation } from '../../deployment/operators.ts';
import { behaviourOf } from '../../reference/behaviour.ts';
import { variantNamed } from '../../reference/variants.ts';
import type { Trace } from '../../trace/trace.ts';
import { judgeTrace } from '../judge-trace.ts';

const SECOND = 1_000_000;
const halfMore: Deviation = {
  operator: 'other-limit',
  parameters: { kind: 'read', limit: 150, limitHeader: 100, remainingFrom: 100, from: 'always' },
};

/** A run with a limit of 150 reads, in which each `Date` is four seconds later from some moment on (s). */
async function judgedWithStep(at: number | null) {
  const { options: choices } = variantNamed('anchored');
  const conduct = (times: Parameters<typeof behaviourOf>[1]) => behaviourOf({ choices, deviations: [halfMore] }, times);
  const { trace } = await virtualRun({ ...PLAIN_RUN, conduct });
  const { verdicts } = judgeTrace(at === null ? trace : withStep(trace, at * SECOND));
  return { failed: verdicts.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id), verdicts };
}

function withStep(trace: Trace, at: number): Trace {
  const exchanges = trace.exchanges.map((each) => {
    const date = each.headers.date.map((value) => new Date(Date.parse(value) + 4000).toUTCString());
    return (each.answered ?? 0) < at ? each : { ...each, headers: { ...each.headers, date } };
  });
  return { ...trace, exchanges };
}

test('what no conforming deployment explains is open if the clock was set before it could be seen', async () => {
  const { failed, verdicts } = await judgedWithStep(1);
  expect(failed).toEqual([]);
  const summaries = verdicts.filter(({ verdict }) => verdict === 'inconclusive').map(({ summary }) => summary);
  expect(summaries).toContainEqual(expect.stringMatching(/clock of the deployment was set forward by about 4 s/u));
});

thorough('it fails if what came before the clock was set shows it', async () => {
  for (const at of sampled([110, null], 2)) expect((await judgedWithStep(at)).failed).toEqual(['LIMIT-R']);
});
