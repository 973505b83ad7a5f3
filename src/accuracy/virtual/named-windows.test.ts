import { thorough } from '../../../test/sampled.test-support.ts';
import { SECOND, WINDOW } from '../../deployment/deployment.ts';
import type { Deviation } from '../../deployment/operators.ts';
import { expectNamed, type Named } from './named.test-support.ts';
import { ANCHORED, COUNTER, FAR, GRID } from './situation.test-support.ts';

const READS = ['read'] as const;
const BOTH = ['read', 'write'] as const;

const rollsOver: Deviation = { operator: 'carried-over', parameters: { kinds: READS, what: 'unused' } };
const owed: Deviation = { operator: 'carried-over', parameters: { kinds: BOTH, what: 'refusals' } };
const later: Deviation = {
  operator: 'other-limit',
  parameters: { kind: 'read', limit: 110, limitHeader: 100, remainingFrom: 100, from: 'later windows' },
};
const laterTold: Deviation = {
  operator: 'other-limit',
  parameters: { kind: 'write', limit: 60, limitHeader: 30, remainingFrom: 60, from: 'later windows' },
};
const blocks: Deviation = {
  operator: 'moved-end',
  parameters: { kinds: READS, trigger: 'first refusal', to: { after: WINDOW }, idle: 0, told: false },
};
const restart: Deviation = { operator: 'counters-lost', parameters: { kinds: READS, at: 68 * SECOND } };
const early: Deviation = { operator: 'counters-lost', parameters: { kinds: READS, at: 47 * SECOND } };
const oneInTen: Deviation = {
  operator: 'sporadic-admission',
  parameters: { kinds: READS, oneIn: 10, which: 'over the limit' },
};
const emptiedByWrites: Deviation = {
  operator: 'moved-end',
  parameters: { kinds: READS, trigger: 'other kind', to: { after: 0 }, idle: 0, told: true },
};
const renewedByReads: Deviation = {
  operator: 'moved-end',
  parameters: { kinds: ['write'], trigger: 'other kind', to: { after: WINDOW }, idle: 0, told: true },
};
const oneExpiry: Deviation = {
  operator: 'moved-end',
  parameters: { kinds: BOTH, trigger: 'one expiry', to: { after: 0 }, idle: 0, told: false },
};

const SITUATIONS: readonly Named[] = [
  ['windows end at other times', ['LIMIT-WINDOW'], { mechanism: GRID, deviations: [blocks], network: FAR, keys: 4 }],
  [
    'each write ends the window of reads',
    ['LIMIT-RW', 'LIMIT-WINDOW'],
    { mechanism: ANCHORED, deviations: [emptiedByWrites] },
  ],
  [
    'so it does on a grid, far away',
    ['LIMIT-RW', 'LIMIT-WINDOW'],
    { mechanism: GRID, network: FAR, keys: 2, deviations: [emptiedByWrites] },
  ],
  [
    'each read puts off the end of the window of writes',
    ['LIMIT-RW', 'LIMIT-WINDOW'],
    { mechanism: ANCHORED, deviations: [renewedByReads] },
  ],
  [
    'both counts of a key expire together',
    ['LIMIT-WINDOW'],
    { mechanism: ANCHORED, network: FAR, keys: 3, deviations: [oneExpiry] },
  ],
  ['what is left is added to the next window', ['LIMIT-R'], { mechanism: ANCHORED, deviations: [rollsOver], keys: 4 }],
  ['what is refused is counted in the next window', ['LIMIT-R', 'LIMIT-W'], { mechanism: GRID, deviations: [owed] }],
  [
    'so it is on one key, far away',
    ['LIMIT-R', 'LIMIT-W'],
    { mechanism: ANCHORED, keys: 1, network: FAR, deviations: [owed] },
  ],
  ['another limit in all windows but the first', ['LIMIT-R'], { mechanism: GRID, deviations: [later] }],
  [
    'so it is where Remaining alone tells it',
    ['LIMIT-W'],
    { mechanism: ANCHORED, deviations: [laterTold], network: FAR },
  ],
  ['all counts are lost under a counter', ['LIMIT-R'], { mechanism: COUNTER, deviations: [restart] }],
  [
    'all counts are lost once, and some over the limit are let through',
    ['LIMIT-R'],
    { mechanism: ANCHORED, network: FAR, deviations: [early, oneInTen] },
  ],
];

thorough.each(SITUATIONS)('%s: %j fails', async (_, due, situation) => {
  await expectNamed(due, situation);
});
