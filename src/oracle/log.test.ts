import { expect, test } from 'vitest';
import { Fitter } from '../diagnosis/fitter.ts';
import { conformingWorld } from '../diagnosis/world.ts';
import { exchanges, headers } from '../judge/trace-builder.test-support.ts';
import type { Times } from '../reference/behaviour.ts';
import { conductOf } from '../reference/conduct.ts';
import { limiterOf } from '../reference/mechanisms/mechanics.ts';
import { slidingLog } from '../reference/mechanisms/sliding-log.ts';
import type { Network } from '../reference/network.ts';
import { fullPlan, planHistory } from '../reference/plan-histories.test-support.ts';
import { makeHistory } from './make-history.ts';
import { inferMarker } from './marker.ts';
import { dateOffset } from './server-clock.ts';
import { Work } from './work.ts';

const EPOCH = Date.UTC(2026, 10, 21, 8, 30, 17) * 1000;
const ANY_OFFSET = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
const QUIET: Network = { uplink: [100, 400], work: [50, 200], downlink: [100, 400], lost: 0 };
const SLOW: Network = { uplink: [1000, 900_000], work: [100, 400_000], downlink: [1000, 900_000], lost: 0.03 };

test.each([
  ['quiet', QUIET],
  ['slow', SLOW],
] as const)('a log whose marker is where its newest entry leaves is explained, on a %s network', (_, network) => {
  for (let seed = 1; seed <= 4; seed++) {
    const log = () => limiterOf(slidingLog({ reset: 'newest' }));
    const conduct = (times: Times) => ({
      ...conductOf('log-ms', null)(times),
      limiters: { read: log(), write: log() },
    });
    const exchanges = planHistory(fullPlan(), { conduct, seed, network, epoch: EPOCH, skew: 0 });
    const marker = inferMarker(exchanges, EPOCH);
    const offset = dateOffset(exchanges, EPOCH);
    for (const key of ['key-1', 'key-2', 'key-3', 'key-4']) {
      const own = exchanges.filter((each) => each.key === key && each.kind === 'read' && each.fault !== 'bad-key');
      const history = makeHistory(own, { key, kind: 'read' }, marker, offset);
      expect(new Fitter(new Work(1e9)).fit(conformingWorld([history]))?.shape.mechanism).toBe('log');
      expect(own.some(({ status }) => status === 429)).toBe(true);
    }
  }
});

test('no log lets more than the limit through within a minute, whether or not it logs refusals, and whoever else uses the key', () => {
  const atOnce = { answered: 1_000_000, headers: headers({ remaining: [], reset: [] }) };
  const burst = exchanges(...Array.from({ length: 101 }, () => atOnce));
  const history = makeHistory(burst, { key: 'key-1', kind: 'read' }, inferMarker(burst, EPOCH), ANY_OFFSET);
  const world = conformingWorld([{ ...history, shared: true }]);
  const logs = { ...world, shapes: world.shapes.filter(({ mechanism }) => mechanism === 'log') };
  expect(logs.shapes.some(({ refusedCounted }) => refusedCounted)).toBe(true);
  expect(new Fitter(new Work(1e9)).fit(logs)).toBeNull();
});
