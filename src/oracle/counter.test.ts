import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tried } from '../../test/sampled.test-support.ts';
import { Fitter } from '../diagnosis/fitter.ts';
import { diagnoseRun } from '../diagnosis/run.ts';
import { conformingWorld } from '../diagnosis/world.ts';
import { behaviourOf } from '../reference/behaviour.ts';
import { conductOf } from '../reference/conduct.ts';
import { simulate } from '../reference/simulate.test-support.ts';
import { VARIANTS, variantNamed } from '../reference/variants.ts';
import type { Exchange } from '../trace/exchange.ts';
import type { History } from './history.ts';
import { makeHistory } from './make-history.ts';
import { inferMarker } from './marker.ts';
import { dateOffset } from './server-clock.ts';
import { slides } from './shapes.ts';
import { Work } from './work.ts';

/** The minute ends 20 s later. */
const EPOCH = Date.UTC(2026, 10, 21, 8, 30, 40) * 1000;
const END = 20_000_000;
const NETWORK = { uplink: [1000, 600_000], work: [100, 200_000], downlink: [1000, 600_000], lost: 0 } as const;
const COUNTERS = VARIANTS.map(({ name }) => name).filter((name) => name.startsWith('counter'));

/** A burst that is under way when the minute ends, and two requests after it. */
function burst(variant: string, requests: number, before: number, seed: number): readonly Exchange[] {
  const from = END - before;
  const times = [...Array.from({ length: requests }, (_, at) => from + at * 4000), END + 5_000_000, END + 8_000_000];
  const sent = times.map((at) => ({ at, key: 'key-1', kind: 'read' as const }));
  return simulate(sent, { conduct: conductOf(variant, null), seed, network: NETWORK, epoch: EPOCH });
}

function historyOf(exchanges: readonly Exchange[]): History {
  const offset = dateOffset(exchanges, EPOCH);
  return makeHistory(exchanges, { key: 'key-1', kind: 'read' }, inferMarker(exchanges, EPOCH), offset);
}

function isCounter(exchanges: readonly Exchange[]): boolean {
  const world = conformingWorld([historyOf(exchanges)]);
  const shapes = world.shapes.filter((shape) => slides(shape) && shape.mechanism !== 'log');
  return new Fitter(new Work(1e9)).fit({ ...world, shapes }) !== null;
}

test('a burst around the end of a bucket is explained, wherever it lies and whichever its counter', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...COUNTERS),
      fc.integer({ min: 20, max: 130 }),
      fc.integer({ min: 0, max: 900_000 }),
      fc.integer({ min: 1, max: 1_000_000 }),
      (variant, requests, before, seed) => {
        expect(isCounter(burst(variant, requests, before, seed))).toBe(true);
      },
    ),
    { numRuns: tried(60) },
  );
});

test('what a burst counted is not forgotten, as if a bucket had ended meanwhile', () => {
  const exchanges = burst('counter', 110, 15_000_000, 1).filter(({ sent }) => sent < END);
  const conforms = (each: readonly Exchange[]) =>
    diagnoseRun([historyOf(each)], []).kinds.map(({ outcome }) => outcome);
  expect(conforms(exchanges)).toEqual(['conforms']);
  const full = exchanges.map((each) => {
    return each.status === 200 ? { ...each, headers: { ...each.headers, remaining: ['100'] } } : each;
  });
  expect(conforms(full)).not.toEqual(['conforms']);
});

/** One read, 60 soon after it, and 15 s later as many as a counter lets through. */
function burstOver(limit: number, at: number, seed: number): readonly Exchange[] {
  const { options: choices } = variantNamed('counter');
  const parameters = { kind: 'read', limit, limitHeader: 100, remainingFrom: 100, from: 'always' } as const;
  const bursts = [at - 15_000_000, at].flatMap((start) =>
    Array.from({ length: 60 }, (_, index) => start + index * 200),
  );
  const sent = [at - 15_500_000, ...bursts];
  return simulate(
    sent.map((each) => ({ at: each, key: 'key-1', kind: 'read' as const })),
    {
      conduct: (times) => behaviourOf({ choices, deviations: [{ operator: 'other-limit', parameters }] }, times),
      seed,
      network: { uplink: [300, 3000], work: [100, 500], downlink: [200, 3000], lost: 0 },
      epoch: EPOCH,
    },
  );
}

test('no boundary explains ten requests over the limit, within a bucket or around its end', () => {
  fc.assert(
    fc.property(fc.constantFrom(END - 3_000_000, END - 12_000), fc.integer({ min: 1, max: 1_000_000 }), (at, seed) => {
      expect(isCounter(burstOver(100, at, seed))).toBe(true);
      expect(isCounter(burstOver(110, at, seed))).toBe(false);
    }),
    { numRuns: tried(20) },
  );
});
