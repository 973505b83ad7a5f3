import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tried } from '../../test/sampled.test-support.ts';
import { Fitter } from '../diagnosis/fitter.ts';
import { conformingWorld } from '../diagnosis/world.ts';
import { seededRandom } from '../random/random.ts';
import { conductOf } from '../reference/conduct.ts';
import { DEFECTS } from '../reference/defects.ts';
import { randomSchedule } from '../reference/schedules.test-support.ts';
import { simulate } from '../reference/simulate.test-support.ts';
import { VARIANTS } from '../reference/variants.ts';
import type { History } from './history.ts';
import { makeHistory } from './make-history.ts';
import { inferMarker } from './marker.ts';
import { dateOffset } from './server-clock.ts';
import { findWitness } from './witnessed.ts';
import { Work } from './work.ts';

const EPOCH = Date.UTC(2026, 10, 21, 8, 30, 17) * 1000;

/** The histories of two keys on a server with this behaviour, with a latency of up to `slowest` µs. */
function historiesOf(variant: string | null, defect: string | null, seed: number, slowest: number): History[] {
  const shape = { keys: 2, seconds: 30 + (seed % 5) * 60, requests: 100 + (seed % 5) * 80 };
  // Without failed or lost requests, because no witness is searched for these.
  const schedule = randomSchedule(seededRandom(seed), shape).map((each) => ({ ...each, fault: 'none' as const }));
  const network = { uplink: [100, slowest], work: [50, slowest], downlink: [100, slowest], lost: 0 } as const;
  const exchanges = simulate(schedule, { conduct: conductOf(variant, defect), seed, network, epoch: EPOCH });
  const marker = inferMarker(exchanges, EPOCH);
  const offset = dateOffset(exchanges, EPOCH);
  return ['key-1', 'key-2'].flatMap((key) =>
    (['read', 'write'] as const).map((kind) => {
      const own = exchanges.filter((each) => each.key === key && each.kind === kind);
      return makeHistory(own, { key, kind }, marker, offset);
    }),
  );
}

const network = fc.constantFrom(200, 20_000, 400_000, 2_000_000);

test('what has a witness is explained by the search too, whatever the target', () => {
  let witnesses = 0;
  const conducts = [
    ...VARIANTS.map(({ name }) => ({ variant: name, defect: null })),
    ...DEFECTS.map(({ name }) => ({ variant: null, defect: name })),
  ];
  fc.assert(
    fc.property(fc.constantFrom(...conducts), fc.nat(1e6), network, ({ variant, defect }, seed, slowest) => {
      for (const history of historiesOf(variant, defect, seed, slowest)) {
        if (history.events.length === 0 || !findWitness(history)) continue;
        witnesses++;
        expect(new Fitter(new Work(1e9)).fit(conformingWorld([history]))).not.toBeNull();
      }
    }),
    { numRuns: tried(1000), seed: 7 },
  );
  expect(witnesses).toBeGreaterThan(30);
});

test.each(['grid-clock', 'grid-clock-ms', 'grid-process', 'anchored', 'grid-first-request'])(
  'fixed windows have a witness at every latency: %s',
  (variant) => {
    fc.assert(
      fc.property(fc.nat(1e6), network, (seed, slowest) => {
        for (const history of historiesOf(variant, null, seed, slowest)) {
          if (history.events.length > 0) expect(findWitness(history)).not.toBeNull();
        }
      }),
      { numRuns: 20, seed: 3 },
    );
  },
);

test('a witness tells windows in which every request finds its place', () => {
  for (const variant of ['grid-clock', 'anchored']) {
    for (const history of historiesOf(variant, null, 5, 400_000)) {
      const found = findWitness(history);
      expect(found).not.toBeNull();
      for (const event of history.events) {
        const places = found?.model.alternatives(event) ?? [];
        expect(places.length).toBeGreaterThan(0);
      }
      expect(found?.model.overfull(history.limit)).toBeNull();
    }
  }
});

test('one Remaining that is off by one leaves no witness', () => {
  fc.assert(
    fc.property(fc.nat(1e6), fc.nat(1e6), fc.constantFrom(-1, 1), (seed, which, by) => {
      const [history] = historiesOf('grid-clock-ms', null, seed, 20_000);
      const accepted = history?.events.filter(({ outcome }) => outcome === 'accepted') ?? [];
      const chosen = accepted[which % accepted.length];
      if (!history || !chosen) return;
      const events = history.events.map((event) =>
        event === chosen ? { ...event, remaining: (event.remaining ?? 0) + by } : event,
      );
      expect(findWitness({ ...history, events })).toBeNull();
    }),
    { numRuns: 100, seed: 5 },
  );
});
