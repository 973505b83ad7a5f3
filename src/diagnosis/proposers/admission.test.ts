import { expect, test } from 'vitest';
import { sampled, thorough } from '../../../test/sampled.test-support.ts';
import type { RequestClass } from '../../deployment/attribute.ts';
import type { Mechanism } from '../../deployment/deployment.ts';
import { proposeAdmissions } from './admission.ts';
import { proposeCrowds } from './crowd.ts';
import { foundBy, runOfDraw, runUnder } from './deviating-world.test-support.ts';

const BOTH = ['read', 'write'] as const;

test.each(sampled(BOTH, 2))(
  '%ss over the limit that are let through now and then are found, and how many',
  async (kind) => {
    const run = await runUnder([
      { operator: 'sporadic-admission', parameters: { kinds: [kind], oneIn: 5, which: 'over the limit' } },
    ]);
    const [deviation] = foundBy(proposeAdmissions, kind, run)[0]?.deviations ?? [];
    const oneIn = deviation?.operator === 'sporadic-admission' ? deviation.parameters.oneIn : 0;
    expect(oneIn).toBeGreaterThanOrEqual(3);
    expect(oneIn).toBeLessThanOrEqual(8);
  },
);

const MECHANISMS: readonly Mechanism[] = [
  { name: 'grid', phase: 'process' },
  { name: 'counter', phase: 'process', rounding: 'floor', latch: false, reanchor: false },
];

const CLASSES: readonly RequestClass[] = [
  { attribute: 'operation', classes: ['list-categories'] },
  { attribute: 'credential', classes: ['bearer'] },
];

const CASES = MECHANISMS.flatMap((mechanism) => CLASSES.map((of) => ({ mechanism, of, ...mechanism, ...of })));

test.each(sampled(CASES, 10))(
  'a class of which nothing is refused is named, by $attribute under a $name',
  async ({ mechanism, of }) => {
    const own = { of, kinds: ['read'], oneIn: 1, which: 'over the limit' } as const;
    const run = await runUnder([{ operator: 'sporadic-admission', parameters: own }], mechanism);
    expect(foundBy(proposeAdmissions, 'read', run)[0]?.deviations[0]?.parameters).toEqual(own);
  },
);

/** The draw in which Remaining tells what is left when the answer is made: a third of a burst leaves nothing. */
const TOLD_LATE = 9500192;

thorough('what is let through now and then is plainer than a race, even if answers tell what others left', async () => {
  const run = await runOfDraw('sporadic-admission', TOLD_LATE);
  const [admitted] = foundBy(proposeAdmissions, 'read', run);
  const [race] = foundBy(proposeCrowds, 'read', run);
  expect(admitted?.bits).toBeLessThan(race?.bits ?? 0);
});
