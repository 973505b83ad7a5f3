import { expect, test } from 'vitest';
import { SECOND } from '../../deployment/deployment.ts';
import type { Event, History } from '../../oracle/history.ts';
import { toldBlocks } from './told-blocks.ts';

/** A request at a second, how it was answered, and the end that its answer states. */
type Told = readonly [at: number, outcome: Event['outcome'], status: number, end: number | null];

function historyOf(told: readonly Told[]): History {
  const events = told.map(([at, outcome, status, end], seq) => ({
    ...{ exchange: { seq, status }, from: at * SECOND, to: at * SECOND + 1000, outcome, group: '' },
    ...{ remaining: 0, reset: end === null ? null : end * SECOND },
  }));
  return { kind: 'read', key: 'key-1', unit: 1000, offset: { low: 0, high: 0 }, events } as unknown as History;
}

test('a block is as long as the first later marker says, or since the first refusal, and begins with that one', () => {
  const refusals: readonly Told[] = [
    ...[
      [11, 'refused', 429, 60],
      [12, 'refused', 429, 60],
      [13, 'refused', 429, 133],
      [14, 'refused', 429, 133],
    ],
  ] as const;
  expect(toldBlocks([historyOf([[10, 'accepted', 200, 60], ...refusals])])).toEqual({
    lengths: [120 * SECOND, 122 * SECOND],
    strikes: [3],
  });
});

test('refusals of a window without a block count for the next one, too', () => {
  const told: readonly Told[] = [
    ...[
      [10, 'accepted', 200, 60],
      [11, 'refused', 429, 60],
      [12, 'refused', 429, 60],
    ],
    ...[
      [61, 'accepted', 200, 121],
      [62, 'refused', 429, 121],
      [63, 'refused', 429, 183],
    ],
  ] as const;
  expect(toldBlocks([historyOf(told)]).strikes).toEqual([2, 4]);
});

test('a refusal of which it is open what it drew on is one of them if it came before', () => {
  const open: Told = [11.5, 'unclear', 429, null];
  const refusals: readonly Told[] = [
    [11, 'refused', 429, 60],
    open,
    [13, 'refused', 429, 133],
    [14, 'unclear', 429, null],
  ];
  expect(toldBlocks([historyOf([[10, 'accepted', 200, 60], ...refusals])]).strikes).toEqual([3]);
});

test('refusals that state the end of their window tell of no block, nor do those of the next window', () => {
  const windows: readonly Told[] = [
    ...[
      [10, 'accepted', 200, 60],
      [11, 'refused', 429, 60],
    ],
    ...[
      [61, 'accepted', 200, 121],
      [62, 'refused', 429, 121],
    ],
  ] as const;
  expect(toldBlocks([historyOf(windows)])).toEqual({ lengths: [], strikes: [] });
});
