import fc from 'fast-check';
import { expect, test } from 'vitest';
import { atLeast, atMost, type Counting, countAnew } from './counts.ts';
import type { Event } from './history.ts';

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
      for (const { outcome, gives, at } of all) {
        if (at < start) continue;
        const isBack = outcome === 'returned' || (outcome === 'returnable' && gives);
        counted = outcome === 'accepted' ? counted + 1 : Math.max(0, counted - Number(isBack));
        expect(atMost(counts, start, at, at)).toBeGreaterThanOrEqual(counted);
        expect(atLeast(counts, start, at + 0.5)).toBeLessThanOrEqual(counted);
      }
    }),
  );
});
