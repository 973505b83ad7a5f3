import type { Choices, Mechanism } from '../../deployment/deployment.ts';
import type { Deviation } from '../../deployment/operators.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { seededRandom } from '../../random/random.ts';
import { behaviourOf } from '../../reference/behaviour.ts';
import { type Network, QUIET_NETWORK } from '../../reference/network.ts';
import { variantNamed } from '../../reference/variants.ts';
import { drawProfile } from './draw-profile.ts';
import { STRANGERS, type StrangerName } from './strangers.ts';
import { type OtherUse, virtualRun } from './virtual-run.ts';

export const GRID: Mechanism = { name: 'grid', phase: 'process' };
export const ANCHORED: Mechanism = { name: 'anchored', wholeSecond: false };
export const LOG: Mechanism = { name: 'log', logRefused: false, reset: 'oldest' };
export const COUNTER = {
  name: 'counter',
  phase: 'process',
  rounding: 'floor',
  latch: false,
  reanchor: false,
} as const satisfies Mechanism;
export const FAR: Network = { uplink: [20_000, 60_000], work: [1000, 20_000], downlink: [20_000, 60_000], lost: 0 };

/**
 * A run of two keys costs half of one of four. The latter are judged if EVERY_CASE is set, as in `npm run soundness`.
 */
const MOST_KEYS = process.env.EVERY_CASE ? 4 : 2;

/** A deployment, how it is reached, and who else uses its keys. */
export interface Situation {
  readonly mechanism: Mechanism;
  readonly keys?: number;
  readonly network?: Network;
  readonly deviations?: readonly Deviation[];
  readonly others?: readonly OtherUse[];
  readonly stranger?: StrangerName;
  readonly seed?: number;
}

/** The verdicts on a complete run in virtual time. */
export async function verdictsOn({
  mechanism,
  keys = MOST_KEYS,
  network = QUIET_NETWORK,
  deviations = [],
  others = [],
  stranger,
  seed = 11,
}: Situation) {
  const { options } = variantNamed('grid-clock');
  const choices: Choices = { ...options, mechanism: { read: mechanism, write: mechanism } };
  const { trace } = await virtualRun({
    profile: drawProfile(seededRandom(5, 'profile')),
    keys,
    conduct: (times) => ({
      ...behaviourOf({ choices, deviations }, times),
      ...(stranger ? STRANGERS[stranger].change(times) : {}),
    }),
    seed,
    epoch: Date.UTC(2026, 10, 21, 8, 30, 17) * 1000,
    network,
    others,
  });
  return judgeTrace(trace).verdicts;
}

/** The requirements that fail in such a run. */
export async function failed(situation: Situation) {
  return (await verdictsOn(situation)).flatMap(({ id, verdict }) => (verdict === 'fail' ? [id] : []));
}
