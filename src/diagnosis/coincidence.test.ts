import fc from 'fast-check';
import { expect, test } from 'vitest';
import { thorough } from '../../test/sampled.test-support.ts';
import { makeHistory } from '../oracle/make-history.ts';
import { inferMarker } from '../oracle/marker.ts';
import { dateOffset } from '../oracle/server-clock.ts';
import { conductOf } from '../reference/conduct.ts';
import { simulate } from '../reference/simulate.test-support.ts';
import { VARIANTS } from '../reference/variants.ts';
import { diagnoseRun } from './run.ts';

const SECOND = 1_000_000;
const MINUTE = Date.UTC(2026, 10, 21, 8, 30) * 1000;
const NETWORK = { uplink: [300, 3000], work: [100, 500], downlink: [200, 3000], lost: 0 } as const;
const CONFORMING = VARIANTS.map(({ name }) => name);

/** One burst over the limit on each of two keys and a request after it, as short runs send them. */
function diagnose(variant: string | null, defect: string | null, second: number, seed: number) {
  const epoch = MINUTE + second * SECOND;
  const keys = ['key-1', 'key-2'];
  const sent = keys.flatMap((key, at) =>
    [...Array.from({ length: 36 }, (_, index) => index * 2000), 3 * SECOND].map((later) => {
      return { at: at * SECOND + later, key, kind: 'write' as const };
    }),
  );
  const all = simulate(sent, { conduct: conductOf(variant, defect), seed, network: NETWORK, epoch });
  const histories = keys.map((key) => {
    const own = all.filter((each) => each.key === key);
    return makeHistory(own, { key, kind: 'write' }, inferMarker(all, epoch), dateOffset(all, epoch));
  });
  return diagnoseRun(histories, []).kinds[0];
}

test('a conforming deployment needs no coincidence, unless a minute ends in a burst', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...CONFORMING),
      fc.integer({ min: 0, max: 55 }),
      fc.integer({ min: 1, max: 1_000_000 }),
      (variant, second, seed) => {
        const kind = diagnose(variant, null, second + 0.5, seed);
        expect(kind?.outcome).toBe('conforms');
        expect(kind?.diagnosis.conforming?.coincidence ?? 0).toBe(0);
      },
    ),
    { numRuns: 60 },
  );
});

thorough('one key whose minute ends in its burst is no sign of a deviation', () => {
  for (const variant of CONFORMING.filter((name) => name.startsWith('counter'))) {
    expect(diagnose(variant, null, 59.96, 1)?.outcome).toBe('conforms');
  }
});

thorough('if a bucket must have begun in the burst of each key, this has a price for each', () => {
  const kind = diagnose(null, 'remaining-before-counting', 17, 1);
  const { coincidence = 0 } = kind?.diagnosis.conforming ?? {};
  // A minute, divided by the time for which the requests of a key were under way, for each of two keys.
  expect(coincidence).toBeGreaterThan(2 * Math.log2(60 / 0.25));
  expect(coincidence).toBeLessThan(2 * Math.log2(60 / 0.1));
  expect(kind?.diagnosis.deviating[0]?.deviations).toMatchObject([
    { operator: 'remaining-header', parameters: { change: { offset: 1 } } },
  ]);
  expect(kind?.diagnosis.deviating[0]?.coincidence ?? 0).toBe(0);
});
