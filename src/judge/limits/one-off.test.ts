import { expect, test } from 'vitest';
import { conductOf } from '../../reference/conduct.ts';
import { fullPlan, planHistory } from '../../reference/plan-histories.ts';
import { type SimulatedRequest, simulate } from '../../reference/simulate.ts';
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
  expect(failed).toEqual(['HDR-4', 'LIMIT-R', 'LIMIT-W', 'LIMIT-HISTORY']);
});

/** A minute and a little, so that each window's first request comes as the one before it ends. */
const RETURN_S = 60.004;

test('a limit of one more on a single key, whose windows each end as the next one is asked for', () => {
  const plain = { key: 'key-1', kind: 'read' } as const;
  const at = (second: number): SimulatedRequest => ({ ...plain, at: Math.round(second * 1e6) });
  const requests = [0, 1, 2].flatMap((window) => {
    const start = 1 + window * RETURN_S;
    return [at(start), ...Array.from({ length: window < 2 ? 110 : 1 }, (_, index) => at(start + 20 + index / 1e3))];
  });
  const conduct = conductOf('anchored', 'one-more-counted-down');
  const exchanges = simulate(requests, { conduct, seed: 5, epoch: EPOCH });
  const { opinions } = judgeLimits(traceOf(exchanges, EPOCH, 5));
  const summary = opinions.find(({ id }) => id === 'LIMIT-R')?.summary;
  expect(summary).toBe('101 requests are let through in a window, and not 100.');
});
