import { expect, test } from 'vitest';
import type { Event } from '../../oracle/history.ts';
import { refusedAfterFailures } from './failure-showing.ts';

const event = (seq: number, status: number, remaining: number): Event =>
  ({
    ...{ from: seq * 1000, to: seq * 1000 + 500, outcome: status === 429 ? 'refused' : 'accepted', remaining },
    exchange: { seq, kind: 'read', status, sent: 0, answered: 0, headers: { remaining: [`${remaining}`] } },
  }) as unknown as Event;
const rule = { statuses: [404], count: 2, length: null };

test('the failed requests before a refusal are shown with it', () => {
  const all = [event(1, 404, 9), event(2, 404, 8), event(3, 200, 7), event(4, 404, 6), event(5, 429, 6)];
  const shown = refusedAfterFailures(all, rule);
  expect(shown?.events.map(({ exchange }) => exchange.seq)).toEqual([2, 4, 5]);
  expect(shown?.argument.at(-1)).toContain('#5 was refused, and its own answer says that 6 requests are left');
});

test('nothing is shown of a refusal without a failed request before it, or with nothing left', () => {
  expect(refusedAfterFailures([event(1, 429, 6), event(2, 404, 6)], rule)).toBeNull();
  expect(refusedAfterFailures([event(1, 404, 1), event(2, 429, 0)], rule)).toBeNull();
});
