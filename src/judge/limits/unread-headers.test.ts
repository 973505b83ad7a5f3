import { expect, test } from 'vitest';
import type { Deviation } from '../../deployment/operators.ts';
import { conformingWorld } from '../../diagnosis/world.ts';
import type { Event, History } from '../../oracle/history.ts';
import { unreadHeaders } from './unread-headers.ts';

const answers = [200, 404, 429].map((status) => ({ exchange: { status }, remaining: 5, reset: 60 }) as Event);
const world = conformingWorld([{ events: answers } as unknown as History]);

function read(deviation: Deviation) {
  const [history] = unreadHeaders(world, [deviation]).histories;
  return history?.events.map(({ remaining, reset }) => [remaining, reset]);
}

test('a marker that is wrong on some answers is left out there', () => {
  const parameters = { kinds: ['read'], change: { offset: 90e6 }, only: { statuses: [429] } } as const;
  expect(read({ operator: 'marker-header', parameters })).toEqual([
    [5, 60],
    [5, 60],
    [5, null],
  ]);
});

test('a Remaining that is wrong on all answers is left out everywhere', () => {
  const parameters = { kinds: ['read'], change: { offset: 1 }, only: 'all' } as const;
  expect(read({ operator: 'remaining-header', parameters })).toEqual([
    [null, 60],
    [null, 60],
    [null, 60],
  ]);
});

test('other deviations leave all headers', () => {
  expect(read({ operator: 'free-first-request', parameters: { kinds: ['read'] } })).toEqual(Array(3).fill([5, 60]));
});
