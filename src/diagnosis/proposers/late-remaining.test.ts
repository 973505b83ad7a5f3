import { expect, test } from 'vitest';
import { SECOND } from '../../deployment/deployment.ts';
import type { Event, History } from '../../oracle/history.ts';
import type { Exchange } from '../../trace/exchange.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { proposeLateRemaining } from './late-remaining.ts';

/** Reads in windows from the first request, of which a cache tells for a second what was left. */
function cached(isOfRefusals: boolean): History {
  const times = [...Array.from({ length: 120 }, (_, at) => at * 0.017), 10, 20, 55, 61, 63, 66, 66.5, 66.9, 70];
  let [end, used, kept] = [0, 0, { at: Number.NEGATIVE_INFINITY, left: 0 }];
  const events = times.map((time, seq): Event => {
    if (time >= end) [end, used] = [time + 60, 0];
    const isRefused = used >= 100;
    if (!isRefused) used += 1;
    if (time - kept.at >= 1) kept = { at: time, left: 100 - used };
    const remaining = isRefused && !isOfRefusals ? 0 : kept.left;
    const exchange = { seq, kind: 'read', method: 'GET', operation: 'get-service', status: isRefused ? 429 : 200 };
    return {
      ...{ exchange: exchange as Exchange, from: time * SECOND, to: time * SECOND + 1000, group: '' },
      ...{ outcome: isRefused ? 'refused' : 'accepted', remaining, reset: Math.ceil(end) * SECOND },
    };
  });
  return {
    ...{ key: 'key-1', kind: 'read', limit: 100, shown: 100, unit: SECOND, until: Number.POSITIVE_INFINITY },
    ...{ offset: { low: 0, high: 0 }, events },
  };
}

test.each([
  [false, { statuses: [200] }],
  [true, 'all'],
] as const)('a Remaining that a cache tells for a second is out of date (refusals: %s)', (isOfRefusals, only) => {
  const [found] = foundBy(proposeLateRemaining, 'read', {
    budgets: [{ history: cached(isOfRefusals) }],
    anonymous: [],
  });
  expect(found?.deviations).toMatchObject([{ operator: 'remaining-header', parameters: { only } }]);
  const [change] = (found?.deviations ?? []).flatMap(({ operator, parameters }) =>
    operator === 'remaining-header' && typeof parameters.change === 'object' ? [parameters.change] : [],
  );
  expect(change && 'late' in change ? change.late : 0).toBeGreaterThan(0.9 * SECOND);
});

test('a Remaining that a copy tells, which has not even the request itself, is out of date', async () => {
  const parameters = { kinds: ['read', 'write'], change: { late: 800_000 }, only: 'all' } as const;
  const run = await runUnder([{ operator: 'remaining-header', parameters }], { name: 'grid', phase: 'clock' });
  for (const kind of ['read', 'write'] as const) {
    const [found] = foundBy(proposeLateRemaining, kind, run);
    expect(found?.deviations).toMatchObject([{ operator: 'remaining-header', parameters: { kinds: [kind] } }]);
  }
});
