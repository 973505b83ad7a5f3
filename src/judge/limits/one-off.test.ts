import { expect, test } from 'vitest';
import { conductOf } from '../../reference/conduct.ts';
import { fullPlan, planHistory } from '../../reference/plan-histories.ts';
import { traceOf } from '../../reference/simulated-trace.ts';
import { judgeLimits } from './judge-limits.ts';

/** The first window ends 30 s into the run on the clock's grid. */
const EPOCH = Date.UTC(2026, 10, 21, 8, 30, 30) * 1000;

/** Key by key, a window that happens to end at its first request would explain the same. */
test.each(['grid-clock', 'anchored-ms'])('a limit of one more, with Remaining counted down from it (%s)', (variant) => {
  const conduct = conductOf(variant, 'one-more-counted-down');
  const exchanges = planHistory(fullPlan(), { conduct, seed: 5, epoch: EPOCH }, []);
  const { opinions } = judgeLimits(traceOf(exchanges, EPOCH, 5));
  const failed = opinions.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  expect(failed).toEqual(['LIMIT-R', 'LIMIT-W', 'LIMIT-HISTORY']);
});
