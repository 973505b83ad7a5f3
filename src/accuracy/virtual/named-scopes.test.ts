import { test } from 'vitest';
import { sampled } from '../../../test/sampled.test-support.ts';
import { SECOND, WINDOW } from '../../deployment/deployment.ts';
import type { Deviation } from '../../deployment/operators.ts';
import { expectNamed, type Named } from './named.test-support.ts';
import { ANCHORED, COUNTER, FAR, GRID, LOG } from './situation.test-support.ts';

const READS = ['read'] as const;
const BOTH = ['read', 'write'] as const;

const headersApart: Deviation = {
  operator: 'finer-scope',
  parameters: {
    ...{ kinds: BOTH, attribute: 'credential', blocks: [], exempt: [] },
    ...{ others: 'apart', exemptHeaders: 'of the others' },
  },
  keys: ['key-2', 'key-4'],
};
const exempt: Deviation = {
  operator: 'finer-scope',
  parameters: {
    kinds: READS,
    attribute: 'operation',
    blocks: [],
    exempt: ['get-label'],
    others: 'together',
    exemptHeaders: 'of the others',
  },
};
const fromCache: Deviation = {
  operator: 'finer-scope',
  parameters: {
    ...{ kinds: READS, attribute: 'operation', blocks: [], exempt: ['get-label'] },
    ...{ others: 'together', exemptHeaders: 'repeated' },
  },
};
const firstFree: Deviation = { operator: 'free-first-request', parameters: { kinds: BOTH } };
const inPairs: Deviation = {
  operator: 'shared-keys',
  parameters: {
    kinds: READS,
    blocks: [
      ['key-1', 'key-2'],
      ['key-3', 'key-4'],
    ],
  },
};
const ofConnection: Deviation = {
  operator: 'shared-keys',
  parameters: { kinds: BOTH, blocks: 'of the connection' },
};
const bearerTogether: Deviation = {
  operator: 'shared-keys',
  parameters: {
    kinds: BOTH,
    blocks: [['key-1', 'key-2', 'key-3', 'key-4', 'restricted']],
    only: { attribute: 'credential', classes: ['bearer'] },
  },
};
const ofAllKeys: Deviation = {
  operator: 'second-limit',
  parameters: { kinds: READS, only: null, limit: 180, window: WINDOW, across: 'keys' },
};
const ofHeaders: Deviation = { operator: headersApart.operator, parameters: headersApart.parameters };
const sixtyThree: Deviation = {
  operator: 'window-length',
  parameters: { kinds: BOTH, length: 63 * SECOND, told: 63 * SECOND, from: 'always' },
};
const givesBack: Deviation = {
  operator: 'class-weight',
  parameters: { kinds: READS, attribute: 'operation', classes: ['get-label'], weight: -1 },
};
const refusalsGiveBack: Deviation = {
  operator: 'class-weight',
  parameters: { kinds: BOTH, attribute: 'status', classes: ['429'], weight: -1 },
};

const withoutKey: Deviation = { operator: 'anonymous-charged', parameters: { which: 'no key', to: 'key-2' } };

const keptForBearer: Deviation = {
  operator: 'early-refusal',
  parameters: {
    ...{ kinds: READS, underWay: null, oneIn: 1 },
    reserve: { of: { attribute: 'credential', classes: ['x-api-key'] }, left: 5 },
  },
};

const missingCharged: Deviation = {
  operator: 'shared-kinds',
  parameters: { how: 'reads count as writes too', statuses: [404] },
};
const refusalsInMilliseconds: Deviation = {
  operator: 'marker-header',
  parameters: { kinds: BOTH, change: 'other unit', only: { statuses: [429] } },
};

const onePair: Deviation = { operator: 'shared-keys', parameters: { kinds: BOTH, blocks: [['key-1', 'key-2']] } };

const SITUATIONS: readonly Named[] = [
  ['a cache answers before the limiter', ['LIMIT-SCOPE', 'HDR-4'], { mechanism: GRID, deviations: [fromCache] }],
  ['so it does before a log', ['LIMIT-SCOPE', 'HDR-4'], { mechanism: LOG, deviations: [fromCache], keys: 2 }],
  [
    'each header has a budget where half of the keys are, on another node',
    ['LIMIT-HEADER'],
    { mechanism: ANCHORED, deviations: [headersApart], keys: 4 },
  ],
  [
    'each header has a budget, and windows are 63 s long, as markers tell',
    ['LIMIT-HEADER', 'LIMIT-WINDOW'],
    { mechanism: ANCHORED, deviations: [ofHeaders, sixtyThree], keys: 4 },
  ],
  [
    'another key than the first is charged for requests without a key',
    ['LIMIT-ANON'],
    { mechanism: ANCHORED, deviations: [withoutKey], keys: 2 },
  ],
  ['a part is kept for one header', ['LIMIT-HEADER', 'HDR-5'], { mechanism: GRID, deviations: [keptForBearer] }],
  ['so it is behind a log', ['LIMIT-HEADER', 'HDR-5'], { mechanism: LOG, deviations: [keptForBearer], keys: 2 }],
  [
    'reads of what is missing count as writes, and refusals are marked in milliseconds',
    ['LIMIT-RW', 'HDR-7'],
    { mechanism: GRID, deviations: [missingCharged, refusalsInMilliseconds], keys: 4 },
  ],
  [
    'two keys share their budgets, and one operation is not limited',
    ['LIMIT-KEY', 'LIMIT-SCOPE'],
    { mechanism: ANCHORED, deviations: [onePair, exempt], keys: 4 },
  ],
  ['one operation is not limited', ['LIMIT-SCOPE'], { mechanism: GRID, deviations: [exempt] }],
  ['two pairs of keys share budgets', ['LIMIT-KEY'], { mechanism: COUNTER, deviations: [inPairs], keys: 4 }],
  ['the first key of a connection pays', ['LIMIT-KEY'], { mechanism: LOG, deviations: [ofConnection], keys: 2 }],
  ['so it does far away', ['LIMIT-KEY'], { mechanism: COUNTER, deviations: [ofConnection], keys: 3, network: FAR }],
  [
    'requests by one header share a budget',
    ['LIMIT-KEY', 'LIMIT-HEADER'],
    { mechanism: LOG, deviations: [bearerTogether] },
  ],
  ['all keys share a limit besides', ['HDR-5', 'LIMIT-KEY'], { mechanism: LOG, deviations: [ofAllKeys] }],
  ['an operation gives one back', ['LIMIT-R'], { mechanism: ANCHORED, network: FAR, deviations: [givesBack] }],
  ['so it does under a log', ['LIMIT-R'], { mechanism: LOG, deviations: [givesBack] }],
  [
    'each refusal gives one back',
    ['LIMIT-R', 'LIMIT-W'],
    { mechanism: ANCHORED, network: FAR, deviations: [refusalsGiveBack] },
  ],
  ['so it does under a counter', ['LIMIT-R', 'LIMIT-W'], { mechanism: COUNTER, deviations: [refusalsGiveBack] }],
  [
    'the first request of a window is free, as one key shows',
    ['LIMIT-R', 'LIMIT-W'],
    { mechanism: GRID, deviations: [firstFree], keys: 1 },
  ],
  [
    'the first five requests of a window are free',
    ['LIMIT-R', 'LIMIT-W'],
    { mechanism: GRID, deviations: [{ operator: 'free-first-request', parameters: { kinds: BOTH, many: 5 } }] },
  ],
];

test.each(sampled(SITUATIONS, 40))('%s: %j fails', async (_, due, situation) => {
  await expectNamed(due, situation);
});
