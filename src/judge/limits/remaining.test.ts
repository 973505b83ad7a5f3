import { expect, test } from 'vitest';
import { conductOf } from '../../reference/conduct.ts';
import { simulate } from '../../reference/simulate.ts';
import { traceOf } from '../../reference/simulated-trace.ts';
import type { Exchange } from '../../trace/exchange.ts';
import { judgeLimits } from './judge-limits.ts';

const EPOCH = Date.UTC(2026, 10, 21, 8, 30, 17) * 1000;

/**
 * 130 reads in 26 s, then one at 59.9 s that is refused and whose answer, 2 s on the way, says `left`; then others at
 * `next` (s). A sliding log: from 60 s to 62 s ten of the first reads expire.
 */
function refusalThatSays(left: number, next: readonly number[]) {
  const request = (at: number) => ({ at: at * 1e6, key: 'key-1', kind: 'read' as const });
  const schedule = [...Array.from({ length: 130 }, (_, index) => index / 5), 59.9, ...next].map(request);
  const exchanges = simulate(schedule, { conduct: conductOf('log', null), seed: 5, epoch: EPOCH });
  const changed = exchanges.map((each): Exchange => {
    if (each.sent !== 59.9e6) return each;
    expect(each.status).toBe(429);
    return { ...each, answered: 61.9e6, headers: { ...each.headers, remaining: [`${left}`] } };
  });
  return judgeLimits(traceOf(changed, EPOCH, 5)).opinions.find(({ id }) => id === 'HDR-5');
}

test('a refusal that says what had come back by the time of its answer fails nobody', () => {
  expect(refusalThatSays(10, [62.5, 62.6, 63])).toMatchObject({ verdict: 'pass' });
});

test('a refusal that says that some are left, where a later one shows that none were', () => {
  const shortly = Array.from({ length: 20 }, (_, index) => 62 + index / 1000);
  const opinion = refusalThatSays(40, shortly);
  expect(opinion).toMatchObject({ verdict: 'fail', summary: 'A 429 says that 40 requests are left.' });
  expect(opinion?.proofs?.[0]?.evidence).toHaveLength(2);
});

test('a refusal that says less than none are left', () => {
  expect(refusalThatSays(-1, [])).toMatchObject({ verdict: 'fail' });
});
