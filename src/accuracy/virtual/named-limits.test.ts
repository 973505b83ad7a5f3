import { test } from 'vitest';
import { sampled } from '../../../test/sampled.test-support.ts';
import { SECOND } from '../../deployment/deployment.ts';
import type { Deviation } from '../../deployment/operators.ts';
import { expectNamed, type Named } from './named.test-support.ts';
import { ANCHORED, COUNTER, FAR, GRID, LOG } from './situation.test-support.ts';

const READS = ['read'] as const;
const BOTH = ['read', 'write'] as const;

const late: Deviation = {
  operator: 'late-counting',
  parameters: { kinds: READS, lag: 30_000, answered: 'when decided' },
};
const failsOpen: Deviation = {
  operator: 'sporadic-admission',
  parameters: { kinds: READS, oneIn: 3, which: 'over the limit' },
};
const unchecked: Deviation = {
  operator: 'sporadic-admission',
  parameters: { kinds: READS, oneIn: 5, which: 'any' },
};
const outage: Deviation = {
  operator: 'sporadic-admission',
  parameters: { kinds: BOTH, oneIn: 1, which: 'any', during: { from: 30 * SECOND, to: 50 * SECOND } },
};
const nowAndThen: Deviation = {
  operator: 'early-refusal',
  parameters: { kinds: READS, underWay: null, oneIn: 10 },
};
const atMostFour: Deviation = {
  operator: 'early-refusal',
  parameters: { kinds: READS, underWay: 4, oneIn: 1 },
};
const planOfOne: Deviation = {
  operator: 'other-limit',
  parameters: { kind: 'read', limit: 60, limitHeader: 60, remainingFrom: 60, from: 'always' },
  keys: ['key-2'],
};
const trialKey: Deviation = {
  operator: 'other-limit',
  parameters: { kind: 'read', limit: 50, limitHeader: 100, remainingFrom: 50, from: 'always' },
  keys: ['key-2'],
};
const tenPercentMore: Deviation = {
  operator: 'other-limit',
  parameters: { kind: 'read', limit: 110, limitHeader: 100, remainingFrom: 100, from: 'always' },
};
const oneUnlimited: Deviation = {
  operator: 'other-limit',
  parameters: { kind: 'write', limit: null, limitHeader: 30, remainingFrom: 30, from: 'always' },
  keys: ['key-2'],
};
const tenPercentLess: Deviation = {
  operator: 'other-limit',
  parameters: { kind: 'write', limit: 27, limitHeader: 27, remainingFrom: 27, from: 'always' },
};
const nodes: Deviation = {
  operator: 'nodes-apart',
  parameters: { kinds: READS, nodes: 2, sync: null, routing: 'at random' },
};
const nodesByConnection: Deviation = {
  operator: 'nodes-apart',
  parameters: { kinds: READS, nodes: 2, sync: null, routing: 'by connection' },
};
const toGo: Deviation = {
  operator: 'marker-header',
  parameters: { kinds: BOTH, change: 'seconds to go', only: 'all' },
};
const lost: Deviation = { operator: 'lost-updates', parameters: { kinds: READS, gap: 10_000, when: 'always' } };
const toldBefore: Deviation = {
  operator: 'remaining-header',
  parameters: { kinds: READS, change: { offset: 1 }, only: { statuses: [200, 400, 403, 404, 500] } },
};
const perSecond: Deviation = {
  operator: 'second-limit',
  parameters: { kinds: READS, only: null, limit: 70, window: SECOND },
};
const anHourAhead: Deviation = {
  operator: 'marker-header',
  parameters: { kinds: BOTH, change: { offset: 3600 * SECOND }, only: 'all' },
};
const bearerNeverRefused: Deviation = {
  operator: 'sporadic-admission',
  parameters: {
    ...{ kinds: BOTH, oneIn: 1, which: 'over the limit' },
    of: { attribute: 'credential', classes: ['bearer'] },
  },
};

const clamped: Deviation = {
  operator: 'other-limit',
  parameters: { kind: 'write', limit: 40, limitHeader: 30, remainingFrom: 40, from: 'always', clamped: true },
  keys: ['key-2'],
};

const SITUATIONS: readonly Named[] = [
  ['requests at once do not see each other', ['LIMIT-ATOMIC'], { mechanism: GRID, deviations: [late] }],
  ['so they do not under a counter', ['LIMIT-ATOMIC'], { mechanism: COUNTER, deviations: [late], keys: 4 }],
  ['nor under a log, as one key shows', ['LIMIT-ATOMIC'], { mechanism: LOG, deviations: [late], keys: 1 }],
  ['one key has a plan of its own', ['LIMIT-R', 'HDR-3'], { mechanism: GRID, deviations: [planOfOne] }],
  ['one key has more than any header says', ['LIMIT-W'], { mechanism: ANCHORED, deviations: [clamped], keys: 4 }],
  ['one key is a trial, and Limit does not say so', ['LIMIT-R'], { mechanism: GRID, deviations: [trialKey] }],
  [
    'a tenth more is let through, and no header says so',
    ['LIMIT-R'],
    { mechanism: ANCHORED, deviations: [tenPercentMore] },
  ],
  [
    'the limit is a tenth less, and the headers say so',
    ['HDR-3', 'LIMIT-W'],
    { mechanism: { name: 'grid', phase: 'clock' }, deviations: [tenPercentLess] },
  ],
  ['one key is on an allow-list', ['LIMIT-W'], { mechanism: ANCHORED, deviations: [oneUnlimited] }],
  ['some over the limit are let through', ['LIMIT-R'], { mechanism: ANCHORED, deviations: [failsOpen] }],
  ['so they are under a log', ['LIMIT-R'], { mechanism: LOG, deviations: [failsOpen] }],
  ['some are let through unchecked', ['LIMIT-R', 'HDR-4'], { mechanism: GRID, deviations: [unchecked] }],
  [
    'all are let through unchecked while the store cannot be reached',
    ['LIMIT-R', 'LIMIT-W', 'HDR-4'],
    { mechanism: ANCHORED, deviations: [outage], keys: 4 },
  ],
  [
    'requests by one header are counted and never refused',
    ['LIMIT-R', 'LIMIT-W'],
    { mechanism: COUNTER, deviations: [bearerNeverRefused], keys: 4 },
  ],
  ['some are refused early', ['LIMIT-R', 'HDR-5'], { mechanism: LOG, deviations: [nowAndThen] }],
  [
    'at most four may be under way',
    ['LIMIT-R', 'HDR-5'],
    { mechanism: ANCHORED, deviations: [atMostFour], network: FAR },
  ],
  [
    'the marker is an hour ahead, and requests at once do not see each other',
    ['HDR-7', 'LIMIT-ATOMIC'],
    { mechanism: ANCHORED, deviations: [anHourAhead, late], keys: 4 },
  ],
  [
    'Reset counts the seconds to go, and requests at once do not see each other',
    ['HDR-6', 'LIMIT-R', 'LIMIT-ATOMIC'],
    { mechanism: ANCHORED, deviations: [toGo, lost], keys: 4 },
  ],
  [
    'each of two nodes counts by itself',
    ['LIMIT-R', 'LIMIT-ATOMIC'],
    { mechanism: ANCHORED, deviations: [nodes], keys: 2, network: FAR },
  ],
  [
    'each of two nodes counts by itself, and Remaining is told before the request is counted',
    ['LIMIT-R', 'LIMIT-ATOMIC', 'LIMIT-EVADE', 'HDR-4'],
    { mechanism: ANCHORED, deviations: [nodesByConnection, toldBefore], keys: 3 },
  ],
  ['a second limit for all reads', ['LIMIT-R'], { mechanism: GRID, deviations: [perSecond], network: FAR }],
  [
    'more is let through than is stated, and refusals say less than 0',
    ['LIMIT-R', 'HDR-5'],
    {
      mechanism: GRID,
      deviations: [
        {
          operator: 'other-limit',
          parameters: { kind: 'read', limit: 105, limitHeader: 100, remainingFrom: 100, from: 'always' },
        },
        { operator: 'remaining-header', parameters: { kinds: ['read'], change: 'below zero', only: 'all' } },
      ],
    },
  ],
];

test.each(sampled(SITUATIONS, 40))('%s: %j fails', async (_, due, situation) => {
  await expectNamed(due, situation);
});
