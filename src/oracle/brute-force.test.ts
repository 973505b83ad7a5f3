import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bruteForce, type TinyMechanism, type TinyRequest, tinyHistory } from './brute-force.test-support.ts';
import { WITH_REMAINING } from './check.ts';
import { explain } from './explain.ts';

const LIMIT = 2;
const WINDOW = 6;
const COUNTING = { failedCounted: new Set<string>(), undecided: new Set<string>(), refusedCounted: false };

const request: fc.Arbitrary<TinyRequest> = fc
  .record({
    from: fc.integer({ min: 0, max: 14 }),
    span: fc.integer({ min: 0, max: 2 }),
    left: fc.integer({ min: -1, max: 1 }),
  })
  .map(({ from, span, left }) => ({ from, to: from + span, accepted: left >= 0, remaining: Math.max(0, left) }));

test.each<TinyMechanism>(['anchored', 'grid', 'log'])(
  'what trying every decision time explains, the oracle explains too: %s',
  (mechanism) => {
    let refutable = 0;
    let refuted = 0;
    fc.assert(
      fc.property(fc.array(request, { minLength: 1, maxLength: 5 }), (requests) => {
        const possible = bruteForce(mechanism, requests, LIMIT, WINDOW);
        const history = tinyHistory(requests, LIMIT);
        const variant = { mechanism, counting: COUNTING, lag: 0, reset: 'oldest', latch: false } as const;
        const { survives } = explain(variant, history, WITH_REMAINING, WINDOW * 1e6);
        if (!possible) refutable++;
        if (!survives) refuted++;
        expect(survives || !possible).toBe(true);
      }),
      { numRuns: 1500, seed: 11 },
    );
    // What it misses stays undecided. The oracle may also choose times between whole seconds.
    expect(refuted / refutable).toBeGreaterThan(0.6);
  },
);
