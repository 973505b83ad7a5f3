import { expect, test } from 'vitest';
import { sampled, thorough } from '../../../test/sampled.test-support.ts';
import { SECOND } from '../../deployment/deployment.ts';
import { breaks, type Deviation } from '../../deployment/operators.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { proposeSomeLengths } from './some-lengths.ts';

const ANCHORED = { name: 'anchored', wholeSecond: false } as const;

test.each(sampled([54, 45, 30], 3))(
  'windows of which some are %i s long, as their markers tell, are found',
  async (seconds) => {
    const length = seconds * SECOND;
    const some: Deviation = {
      operator: 'window-length',
      parameters: { kinds: ['read', 'write'], length, told: length, from: 'some windows' },
    };
    const run = await runUnder([some], ANCHORED);
    for (const kind of ['read', 'write'] as const) {
      const [found] = foundBy(proposeSomeLengths, kind, run);
      expect(found?.deviations).toMatchObject([{ parameters: { length, from: 'some windows' } }]);
      expect(found?.deviations.flatMap((each) => breaks(each))).toContain('LIMIT-WINDOW');
    }
  },
);

thorough('windows of one length are not of two', async () => {
  const length = 45 * SECOND;
  const all = { kinds: ['read', 'write'], length, told: length, from: 'always' } as const;
  for (const deviations of [[], [{ operator: 'window-length', parameters: all }] as const])
    expect(foundBy(proposeSomeLengths, 'read', await runUnder(deviations, ANCHORED))).toEqual([]);
});

test('where all windows of one key have the other length, and none of another key, the key is named', async () => {
  const length = 50 * SECOND;
  const parameters = { kinds: ['read', 'write'], length, told: length, from: 'always' } as const;
  const run = await runUnder([{ operator: 'window-length', parameters, keys: ['key-2'] }], ANCHORED);
  for (const kind of ['read', 'write'] as const) {
    const [found] = foundBy(proposeSomeLengths, kind, run);
    expect(found?.deviations).toMatchObject([{ parameters: { length, from: 'always' }, keys: ['key-2'] }]);
  }
});
