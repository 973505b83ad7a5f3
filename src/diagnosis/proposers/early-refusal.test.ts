import { expect, test } from 'vitest';
import { thorough } from '../../../test/sampled.test-support.ts';
import type { Deviation } from '../../deployment/operators.ts';
import { readEvidence } from '../../judge/limits/budgets.ts';
import type { Kind } from '../../trace/exchange.ts';
import { foundBy, runUnder, traceUnder } from './deviating-world.test-support.ts';
import { proposeEarlyRefusals } from './early-refusal.ts';
import { proposeSecondLimits } from './second-limit.ts';

const KINDS: readonly Kind[] = ['read', 'write'];

thorough('a cap on concurrent requests is found, with the least number that was under way', async () => {
  const run = await runUnder([{ operator: 'early-refusal', parameters: { kinds: KINDS, underWay: 4, oneIn: 1 } }]);
  for (const kind of KINDS) {
    const [found] = foundBy(proposeEarlyRefusals, kind, run);
    expect(found?.deviations).toMatchObject([{ operator: 'early-refusal', parameters: { kinds: [kind], oneIn: 1 } }]);
    // A client sees more requests under way than the limiter: those that have not arrived, and answers on their way.
    const least = found?.deviations.map(({ parameters }) => ('underWay' in parameters ? parameters.underWay : null))[0];
    expect(least).toBeGreaterThanOrEqual(4);
  }
});

thorough(
  'a cap is found though its answers say that nothing is left, and that one may ask again in a second',
  async () => {
    const cap: Deviation = { operator: 'early-refusal', parameters: { kinds: KINDS, underWay: 4, oneIn: 1 } };
    const trace = await traceUnder([cap], { name: 'anchored', wholeSecond: false });
    const exchanges = trace.exchanges.map((exchange) => {
      const isOfCap = exchange.status === 429 && exchange.headers.remaining?.[0] !== '0';
      const reset = `${Math.floor(Date.parse(exchange.headers.date[0] ?? '') / 1000) + 1}`;
      return isOfCap ? { ...exchange, headers: { ...exchange.headers, remaining: ['0'], reset: [reset] } } : exchange;
    });
    for (const kind of KINDS) {
      const [found] = foundBy(proposeEarlyRefusals, kind, readEvidence({ ...trace, exchanges }));
      expect(found?.deviations).toMatchObject([
        { parameters: { kinds: [kind], underWay: expect.any(Number), oneIn: 1 } },
      ]);
    }
  },
);

test('requests that are refused now and then are found with their rate', async () => {
  const run = await runUnder([
    { operator: 'early-refusal', parameters: { kinds: ['read'], underWay: null, oneIn: 10 } },
  ]);
  const [found] = foundBy(proposeEarlyRefusals, 'read', run);
  expect(found?.deviations).toMatchObject([{ parameters: { kinds: ['read'], underWay: null } }]);
  expect(foundBy(proposeEarlyRefusals, 'write', run)).toEqual([]);
});

test('a limit by the second is the cheaper name of refusals by the second', async () => {
  const limit: Deviation = {
    operator: 'second-limit',
    parameters: { kinds: ['read'], only: null, limit: 30, window: 1_000_000 },
  };
  const run = await runUnder([limit], { name: 'anchored', wholeSecond: false });
  const [second] = foundBy(proposeSecondLimits, 'read', run);
  const [early] = foundBy(proposeEarlyRefusals, 'read', run);
  expect(second?.deviations).toEqual([limit]);
  expect(second?.bits).toBeLessThan(early?.bits ?? Number.POSITIVE_INFINITY);
});
