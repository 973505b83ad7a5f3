import { test } from 'vitest';
import { sampled } from '../../../test/sampled.test-support.ts';
import { SECOND, WINDOW } from '../../deployment/deployment.ts';
import type { Deviation } from '../../deployment/operators.ts';
import { expectNamed, type Named } from './named.test-support.ts';
import { ANCHORED, COUNTER, GRID, LOG } from './situation.test-support.ts';

const READS = ['read'] as const;
const BOTH = ['read', 'write'] as const;

const shownLess: Deviation = {
  operator: 'remaining-header',
  parameters: { kinds: BOTH, change: { offset: 3 }, only: 'all' },
  keys: ['key-1'],
};
const headersKept: Deviation = {
  operator: 'remaining-header',
  parameters: { kinds: READS, change: 'repeated', only: { statuses: [200] } },
};
const stale: Deviation = {
  operator: 'remaining-header',
  parameters: { kinds: BOTH, change: { stale: 3 }, only: 'all' },
};
const ahead: Deviation = {
  operator: 'marker-header',
  parameters: { kinds: READS, change: { ahead: WINDOW }, only: { statuses: [429] } },
};
const wobbles: Deviation = {
  operator: 'marker-header',
  parameters: { kinds: BOTH, change: { wobble: -5 * SECOND }, only: 'all' },
};
const firstEnd: Deviation = {
  operator: 'marker-header',
  parameters: { kinds: BOTH, change: 'first end', only: 'all' },
};
const tenSecondsEarly: Deviation = {
  operator: 'marker-header',
  parameters: { kinds: BOTH, change: { offset: -10 * SECOND }, only: 'all' },
};
const scattered: Deviation = {
  operator: 'marker-header',
  parameters: { kinds: READS, change: { scatter: 2 * WINDOW }, only: 'all' },
};
const twiceNowAndThen: Deviation = {
  operator: 'sporadic-weight',
  parameters: { kinds: READS, oneIn: 12, weight: 2 },
};
const charged: Deviation = { operator: 'anonymous-charged', parameters: { which: 'no key', to: 'key-1' } };
const oneLeftIfRefused: Deviation = {
  operator: 'remaining-header',
  parameters: { kinds: BOTH, change: { offset: 1 }, only: { statuses: [429] } },
};
const toldBeforeCounted: Deviation = {
  operator: 'remaining-header',
  parameters: { kinds: BOTH, change: { offset: 1 }, only: { statuses: [404] } },
};

const SITUATIONS: readonly Named[] = [
  ['a cache behind the limiter keeps its headers', ['HDR-4'], { mechanism: GRID, deviations: [headersKept], keys: 4 }],
  ['the marker of refusals alone is wrong', ['HDR-8'], { mechanism: ANCHORED, deviations: [ahead], keys: 1 }],
  ['the marker goes to and fro', ['HDR-8'], { mechanism: ANCHORED, deviations: [wobbles], keys: 2 }],
  ['the marker stays', ['HDR-7'], { mechanism: { name: 'grid', phase: 'key-hash' }, deviations: [firstEnd] }],
  [
    'the marker is anywhere, and some requests count twice',
    ['HDR-8', 'LIMIT-R'],
    { mechanism: ANCHORED, deviations: [scattered, twiceNowAndThen], keys: 2 },
  ],
  ['Remaining alone is wrong', ['HDR-4'], { mechanism: LOG, deviations: [stale] }],
  ['a 404 is counted after it is told', ['HDR-4'], { mechanism: GRID, deviations: [toldBeforeCounted], keys: 4 }],
  ['Remaining is too high with one key of two', ['HDR-4'], { mechanism: COUNTER, deviations: [shownLess], keys: 2 }],
  [
    'the marker is early, and a key is charged for others',
    ['HDR-7', 'LIMIT-ANON'],
    { mechanism: GRID, deviations: [tenSecondsEarly, charged] },
  ],
  [
    'refusals say that one is left, and a key is charged for others',
    ['HDR-5', 'LIMIT-ANON'],
    { mechanism: GRID, deviations: [oneLeftIfRefused, charged], keys: 3 },
  ],
];

test.each(sampled(SITUATIONS, 40))('%s: %j fails', async (_, due, situation) => {
  await expectNamed(due, situation);
});
