import { expect, test } from 'vitest';
import { WINDOW } from '../deployment/deployment.ts';
import type { Deviation } from '../deployment/operators.ts';
import { seededRandom } from '../random/random.ts';
import { behaviourOf } from './behaviour.ts';
import { randomSchedule } from './schedules.test-support.ts';
import { simulate } from './simulate.test-support.ts';
import { variantNamed } from './variants.ts';

const EPOCH = Date.UTC(2026, 10, 21, 8, 30) * 1000;
const KINDS = ['read', 'write'] as const;

const DEVIATIONS: readonly Deviation[] = [
  { operator: 'window-length', parameters: { kinds: KINDS, length: WINDOW / 2, told: WINDOW / 2, from: 'always' } },
  { operator: 'remaining-header', parameters: { kinds: KINDS, change: { offset: 3 }, only: 'all' } },
  {
    operator: 'finer-scope',
    parameters: {
      ...{ kinds: KINDS, attribute: 'credential', blocks: [], exempt: [] },
      ...{ others: 'apart', exemptHeaders: 'of the others' },
    },
  },
];

test.each(DEVIATIONS)('$operator of one key changes the answers to this key, and no others', (deviation) => {
  const schedule = randomSchedule(seededRandom(5), { keys: 3, seconds: 150, requests: 900 });
  const answers = (deviations: readonly Deviation[]) =>
    simulate(schedule, {
      conduct: (times) => behaviourOf({ choices: variantNamed('grid-clock').options, deviations }, times),
      seed: 3,
      epoch: EPOCH,
    });
  const [conforming, all, some] = [[], [deviation], [{ ...deviation, keys: ['key-2'] }]].map(answers);
  const of = (which: typeof all, own: boolean) => which?.filter(({ key }) => (key === 'key-2') === own);
  expect(of(some, true)).toEqual(of(all, true));
  expect(of(some, false)).toEqual(of(conforming, false));
  expect(of(some, true)).not.toEqual(of(conforming, true));
});
