import { expect, test } from 'vitest';
import { sampled, thorough } from '../../../test/sampled.test-support.ts';
import type { Deviation } from '../../deployment/operators.ts';
import type { Proposer } from '../proposal.ts';
import { proposeAnonymous } from './anonymous.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';

thorough.each(['no key', 'no key or another scheme', 'both'] as const)(
  'requests that are charged to the key of their connection are told from those charged to the last of all: %s',
  async (which) => {
    const charged = (chosen: 'same connection' | 'last used'): Deviation => ({
      operator: 'anonymous-charged',
      parameters: { which, to: { chosen } },
    });
    for (const chosen of ['same connection', 'last used'] as const) {
      const run = await runUnder([charged(chosen)]);
      const found = (['read', 'write'] as const).map((kind) => foundBy(proposeAnonymous, kind, run)[0]?.deviations);
      expect(found).toContainEqual([charged(chosen)]);
    }
  },
);

thorough(
  'the classes that are certain are tried before those with open forms: the bound of work may end the search',
  async () => {
    const tried: string[] = [];
    const proposer: Proposer = function* (world, context) {
      for (const proposal of proposeAnonymous(world, context)) {
        const [deviation] = proposal.deviations;
        if (deviation?.operator === 'anonymous-charged') tried.push(deviation.parameters.which);
        yield proposal;
      }
    };
    foundBy(proposer, 'read', await runUnder([]));
    expect(tried.indexOf('both')).toBeGreaterThan(-1);
    expect(tried.indexOf('both')).toBeLessThan(tried.indexOf('no key or another scheme'));
    expect(tried.indexOf('bad key')).toBeLessThan(tried.indexOf('no key or another scheme'));
  },
);

test.each(sampled(['key-1', 'key-2'], 2))(
  'what the restricted key may not do is found to be charged to %s',
  async (to) => {
    const charged: Deviation = { operator: 'anonymous-charged', parameters: { which: 'forbidden', to } };
    const [found] = foundBy(proposeAnonymous, 'write', await runUnder([charged]));
    expect(found?.deviations).toEqual([charged]);
  },
);
