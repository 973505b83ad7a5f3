import { expect, test } from 'vitest';
import { sampled } from '../../../test/sampled.test-support.ts';
import { SECOND } from '../../deployment/deployment.ts';
import { ANCHORED, COUNTER, FAR, failed, GRID, LOG, type Situation } from './situation.test-support.ts';
import type { OtherUse } from './virtual-run.ts';

const reads = (key: string, requests: number, at: number): OtherUse => {
  return { key, kind: 'read', requests, at: at * SECOND, every: 5_000 };
};
const onAll = (requests: number, at: number) => [1, 2, 3, 4].map((number) => reads(`key-${number}`, requests, at));

const fromMidRunOn = (requests: number, every: number) =>
  Array.from({ length: Math.floor(90 / every) }, (_, index) => reads('key-2', requests, 45 + index * every));

const USED_BY_OTHERS: readonly (readonly [string, Situation])[] = [
  ['a few on the only key of a counter', { mechanism: COUNTER, keys: 1, others: [reads('key-1', 3, 3.2)] }],
  ['one on each key at once', { mechanism: COUNTER, others: onAll(1, 70.8) }],
  ['twenty on each key at once', { mechanism: { ...COUNTER, reset: 'slot' }, others: onAll(20, 27.1) }],
  ['some that a log forgets one by one', { mechanism: LOG, keys: 2, network: FAR, others: [reads('key-1', 20, 97.3)] }],
  ['eight every five seconds from mid-run on', { mechanism: GRID, others: fromMidRunOn(8, 5) }],
  ['one a second from mid-run on', { mechanism: ANCHORED, others: fromMidRunOn(1, 1) }],
  [
    'ten a second on the only key of a counter, and a hundred at once later',
    {
      mechanism: { ...COUNTER, phase: 'first-request' },
      keys: 1,
      others: [
        { key: 'key-1', kind: 'write', requests: 100, at: 3 * SECOND, every: 100_000 },
        reads('key-1', 100, 96.1),
      ],
    },
  ],
  ['some before the run', { mechanism: COUNTER, keys: 1, others: [reads('key-1', 3, -27.2)] }],
];

test.each(sampled(USED_BY_OTHERS, 20))('use by others fails nobody: %s', async (_, situation) => {
  expect(await failed(situation)).toEqual([]);
});

const opened = (opens: 'any of the key' | 'any') => ({ ...ANCHORED, opens });

const TOGETHER: readonly (readonly [string, Situation])[] = [
  [
    'any request of a key begins a window of both kinds, with one key',
    { mechanism: opened('any of the key'), keys: 1 },
  ],
  ['so it does with four keys', { mechanism: opened('any of the key'), keys: 4 }],
  ['any request begins a window of all budgets', { mechanism: opened('any'), keys: 4, network: FAR }],
  ['others begin some of these', { mechanism: opened('any of the key'), keys: 2, others: [reads('key-2', 3, 61)] }],
];

test.each(sampled(TOGETHER, 2))('windows that several budgets have together fail nobody: %s', async (_, situation) => {
  expect(await failed(situation)).toEqual([]);
});
