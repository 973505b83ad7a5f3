import { expect, test } from 'vitest';
import { sampled, thorough } from '../../../test/sampled.test-support.ts';
import { breaks } from '../../deployment/operators.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { proposeLeaks } from './leak.ts';

const FIXED = [
  { name: 'grid', phase: 'clock' },
  { name: 'anchored', wholeSecond: false },
] as const;

test.each(
  sampled(
    FIXED.flatMap((mechanism) => [3, 5, 7, 10].map((seconds) => [seconds, mechanism] as const)),
    10,
  ),
)('a request that is given back every %i s is found, and how often, under %j', async (seconds, mechanism) => {
  const every = seconds * 1_000_000;
  const parameters = { kinds: ['read', 'write'], name: 'leaking window', burst: 1, marker: 'all', every } as const;
  const run = await runUnder([{ operator: 'other-mechanism', parameters }], mechanism);
  for (const kind of ['read', 'write'] as const) {
    const [found] = foundBy(proposeLeaks, kind, run);
    const told = found?.deviations.flatMap((each) => (each.operator === 'other-mechanism' ? each.parameters : []));
    expect(told).toMatchObject([{ kinds: [kind], name: 'leaking window' }]);
    // A window shows only a few of them.
    expect(Math.abs(Math.log2((told?.[0]?.every ?? 0) / every))).toBeLessThan(0.5);
    expect(found?.deviations.flatMap((each) => breaks(each))).toEqual(['LIMIT-WINDOW']);
  }
});

thorough.each([...FIXED, { name: 'log', logRefused: false, reset: 'oldest' }] as const)(
  'nothing is given back before a window ends under %j',
  async (mechanism) => {
    const run = await runUnder([], mechanism);
    expect(foundBy(proposeLeaks, 'read', run)).toEqual([]);
    expect(foundBy(proposeLeaks, 'write', run)).toEqual([]);
  },
);

thorough('what comes back at the rate of a bucket is no leak', async () => {
  const bucket = { kinds: ['read'], name: 'token bucket', burst: 1, marker: 'all' } as const;
  const run = await runUnder([{ operator: 'other-mechanism', parameters: bucket }]);
  expect(foundBy(proposeLeaks, 'read', run)).toEqual([]);
});
