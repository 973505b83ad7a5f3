import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Counting } from './counting.ts';
import { atLeast, atMost, countAnew } from './counts.ts';
import { type Event, REFUND_DELAY } from './history.ts';

const COUNTING: Counting = { failedCounted: new Set(), undecided: new Set(), refusedCounted: false };

/** A request, when it was decided, and how long before and after that it was under way. */
const request = fc.record({
  outcome: fc.constantFrom('accepted', 'returned', 'returnable' as const),
  gives: fc.boolean(),
  at: fc.integer({ min: 0, max: 100 }),
  before: fc.integer({ min: 0, max: 10 }),
  after: fc.integer({ min: 0, max: 10 }),
});

test('what gives one back takes no more off than there is, whenever each was decided', () => {
  fc.assert(
    fc.property(fc.array(request, { maxLength: 20 }), fc.integer({ min: 0, max: 60 }), (requests, start) => {
      const all = requests.toSorted((one, other) => one.at - other.at);
      const events = all
        .map(({ outcome, at, before, after }) => ({ outcome, from: at - before, to: at + after, group: '' }) as Event)
        .sort((one, other) => one.from - other.from);
      const counts = countAnew(events, COUNTING);
      let counted = 0;
      for (const [index, { outcome, gives, at }] of all.entries()) {
        if (at < start) continue;
        const isBack = outcome === 'returned' || (outcome === 'returnable' && gives);
        counted = outcome === 'accepted' ? counted + 1 : Math.max(0, counted - Number(isBack));
        // The bounds hold after all requests of a moment.
        if (all[index + 1]?.at === at) continue;
        expect(atMost(counts, start, at, at)).toBeGreaterThanOrEqual(counted);
        expect(atLeast(counts, start, at + 0.5)).toBeLessThanOrEqual(counted);
      }
    }),
  );
});

/** A failed request, whether it stays in the count, is taken off later, or never counted, and when (ms). */
const failedRequest = fc.record({
  kind: fc.constantFrom('kept', 'taken off', 'never'),
  at: fc.integer({ min: 0, max: 10_000 }),
  before: fc.integer({ min: 0, max: 1000 }),
  after: fc.integer({ min: 0, max: 1000 }),
  off: fc.integer({ min: 0, max: REFUND_DELAY / 1000 }),
});

test('while it is open how failed requests count, each counts at most once', () => {
  fc.assert(
    fc.property(fc.array(failedRequest, { maxLength: 20 }), fc.integer({ min: 0, max: 8000 }), (requests, start) => {
      const times = requests.map(({ kind, at, before, after, off }) => ({
        event: { outcome: 'failed', from: (at - before) * 1000, to: (at + after) * 1000, group: '404' } as Event,
        at: at * 1000,
        until: kind === 'kept' ? Number.POSITIVE_INFINITY : kind === 'never' ? 0 : (at + after + off) * 1000,
      }));
      const events = times.map(({ event }) => event).sort((one, other) => one.from - other.from);
      const counts = countAnew(events, { ...COUNTING, undecided: new Set(['404']), loose: true });
      for (const { at: now } of times.filter(({ at }) => at >= start * 1000)) {
        const most = atMost(counts, start * 1000, now, now);
        const counted = times.filter(({ at, until }) => at >= start * 1000 && at <= now && until >= now).length;
        expect(most).toBeGreaterThanOrEqual(counted);
        expect(most).toBeLessThanOrEqual(events.filter(({ from }) => from <= now).length);
      }
    }),
  );
});
