import { expect, test } from 'vitest';
import { diagnoseRun } from '../diagnosis/run.ts';
import { seededRandom } from '../random/random.ts';
import { conductOf } from '../reference/conduct.ts';
import type { Network } from '../reference/network.ts';
import { fullPlan, planHistory } from '../reference/plan-histories.test-support.ts';
import { randomSchedule } from '../reference/schedules.test-support.ts';
import { simulate } from '../reference/simulate.test-support.ts';
import { VARIANTS } from '../reference/variants.ts';
import type { Exchange, Kind } from '../trace/exchange.ts';
import { makeHistory } from './make-history.ts';
import { inferMarker } from './marker.ts';
import { dateOffset } from './server-clock.ts';

const HISTORIES = Number(process.env.ORACLE_HISTORIES ?? 150);
/** Another first seed gives other histories. */
const FIRST_SEED = Number(process.env.ORACLE_SEED ?? 0);
const EPOCH = Date.UTC(2026, 10, 21, 8, 30, 17) * 1000;
const QUIET: Network = { uplink: [100, 400], work: [50, 200], downlink: [100, 400], lost: 0 };
const SLOW: Network = { uplink: [1000, 900_000], work: [100, 400_000], downlink: [1000, 900_000], lost: 0 };
const NETWORKS: readonly Network[] = [
  QUIET,
  SLOW,
  { ...SLOW, lost: 0.03 },
  { uplink: [1000, 3_000_000], work: [100, 2_000_000], downlink: [1000, 3_000_000], lost: 0.06 },
];

/** The kinds of a run that no single conforming deployment explains for all keys together. */
function unexplained(exchanges: readonly Exchange[], epoch: number): readonly string[] {
  const marker = inferMarker(exchanges, epoch);
  const offset = dateOffset(exchanges, epoch);
  const keys = [...new Set(exchanges.flatMap(({ key }) => (key === null ? [] : [key])))];
  const histories = keys.flatMap((key) =>
    (['read', 'write'] as const).map((kind: Kind) => {
      const own = exchanges.filter((each) => each.key === key && each.kind === kind && each.fault !== 'bad-key');
      return makeHistory(own, { key, kind }, marker, offset);
    }),
  );
  const anonymous = exchanges.filter(({ fault }) => fault === 'bad-key' || fault === 'no-key');
  const { kinds } = diagnoseRun(histories, anonymous);
  return kinds.flatMap(({ outcome, diagnosis }) => (outcome === 'conforms' ? [] : [`${diagnosis.kind}s ${outcome}`]));
}

// Three of four runs are random schedules, which no plan would send; the others follow the plan.
test(`no conforming deployment is refuted, whatever its mechanism, schedule, latency and losses (${HISTORIES} histories)`, () => {
  const alarms: string[] = [];
  let histories = 0;
  for (let seed = FIRST_SEED; histories < HISTORIES; seed++) {
    const variant = VARIANTS[seed % VARIANTS.length];
    const network = NETWORKS[Math.floor(seed / VARIANTS.length) % NETWORKS.length];
    if (!variant || !network) break;
    const epoch = EPOCH + seed * 7_331_117;
    const skew = seed % 5 === 0 ? 3723.4 : 0;
    const options = { conduct: conductOf(variant.name, null), seed, network, epoch, skew };
    const shape = { keys: 2, seconds: 60 + (seed % 4) * 60, requests: 60 + (seed % 7) * 60 };
    const planned = seed % 4 === 0;
    const exchanges = planned
      ? planHistory(fullPlan(), options)
      : simulate(randomSchedule(seededRandom(seed), shape), options);
    histories += planned ? 8 : 4;
    for (const budget of unexplained(exchanges, epoch)) alarms.push(`${variant.name}, seed ${seed}: ${budget}`);
  }
  expect(alarms).toEqual([]);
}, 1_800_000);
