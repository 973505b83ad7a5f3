import { expect, test } from 'vitest';
import { thorough } from '../../../test/sampled.test-support.ts';
import { CHANGED } from '../../deployment/attribute.ts';
import type { FinerScope } from '../../deployment/deviations/finer-scope.ts';
import type { Deviation } from '../../deployment/operators.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { foundBy, runUnder, traceUnder } from './deviating-world.test-support.ts';
import { proposeEvasions } from './evasion.ts';

/** Requests of which some class is not limited, or has a budget of its own. */
const apart = (attribute: FinerScope['attribute'], exempt: readonly string[] = []): Deviation => ({
  operator: 'finer-scope',
  parameters: {
    ...{ kinds: ['read', 'write'], attribute, blocks: [], exempt },
    ...{ others: exempt.length > 0 ? 'together' : 'apart', exemptHeaders: 'of the others' },
  },
});

thorough('requests with an internal address in X-Forwarded-For that are not limited break LIMIT-EVADE', async () => {
  const trace = await traceUnder([apart('internal-address', [CHANGED])]);
  const failed = judgeTrace(trace).verdicts.filter(({ verdict }) => verdict === 'fail');
  expect(failed.map(({ id }) => id)).toEqual(['LIMIT-EVADE']);
  expect(failed[0]?.summary).toContain('internal address in X-Forwarded-For');
});

test('budgets by address are one deviation, whether the address is internal or not', async () => {
  const run = await runUnder([apart('forwarded-for')]);
  for (const kind of ['read', 'write'] as const) {
    const [found] = foundBy(proposeEvasions, kind, run);
    expect(found?.deviations).toMatchObject([{ parameters: { attribute: 'forwarded-for' } }]);
  }
});
