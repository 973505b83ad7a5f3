import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Event, type History, WINDOW } from '../../oracle/history.ts';
import { latenessOf } from './lateness.ts';

/** A budget of single requests. Each sees the requests that had been answered `lag` µs before it was sent. */
function historyOf(times: readonly number[], lag: number): History {
  const from = [...times].sort((one, other) => one - other);
  const events = from.map(
    (at) =>
      ({
        from: at,
        to: at + 1,
        outcome: 'accepted',
        remaining: 99 - from.filter((other) => other + 1 + lag <= at && other < at).length,
        reset: null,
      }) as Event,
  );
  return { key: 'key-1', kind: 'read', limit: 100, shown: 100, events } as unknown as History;
}

/** What is seen after more than this is not late, but never counted, in µs. */
const LONGEST = 2_000_000;

const times = fc.uniqueArray(
  fc.integer({ min: 0, max: 20_000 }).map((n) => n * 1000),
  { minLength: 2, maxLength: 60 },
);

test('where all see what was answered before they were sent, nothing is late', () => {
  fc.assert(
    fc.property(times, (each) => {
      expect(latenessOf([historyOf(each, 0)], WINDOW)).toBeNull();
    }),
  );
});

test('what is late is so by no more than it was, and all that came so soon after it did not see it', () => {
  fc.assert(
    fc.property(times, fc.integer({ min: 1, max: 2_000_000 }), (each, lag) => {
      const found = latenessOf([historyOf(each, lag)], WINDOW);
      if (found === null) return;
      expect(found.lag).toBeLessThanOrEqual(lag);
      expect(found.most).toBeGreaterThanOrEqual(Math.min(lag, LONGEST));
      for (const { lost, of } of found.losses) expect(lost).toBe(of);
    }),
  );
});

test('what is late is seen in the end, which what another node counted never is', () => {
  const burst = Array.from({ length: 40 }, (_, at) => at * 1000);
  const settle = [3_000_000, 5_500_000];
  const late = latenessOf([historyOf([...burst, ...settle], 2_500_000)], WINDOW, 6_000_000);
  expect(late).toMatchObject({ catchesUp: true });
  // Every second request comes to the same node.
  const own = historyOf([...burst, ...settle], 0);
  const apart = own.events.map((event, at) => ({ ...event, remaining: 99 - Math.floor(at / 2) }));
  expect(latenessOf([{ ...own, events: apart }], WINDOW, 6_000_000)).toMatchObject({ catchesUp: false });
});
