import type { RequirementId } from '../../catalogue/requirement.ts';
import { type Deployment, SECOND } from '../../deployment/deployment.ts';
import { pick, whole } from '../../deployment/operator.ts';
import { breaks, mayShow, type OperatorId, sentence } from '../../deployment/operators.ts';
import { type Random, seededRandom } from '../../random/random.ts';
import { behaviourOf } from '../../reference/behaviour.ts';
import { type Network, QUIET_NETWORK } from '../../reference/network.ts';
import { drawChoices, drawDeployment, drawOperators, drawRareMechanism, surfaceOf } from './draw-deployment.ts';
import { drawProfile } from './draw-profile.ts';
import { STRANGERS, type StrangerName } from './strangers.ts';
import type { OtherUse, VirtualRunOptions } from './virtual-run.ts';

/**
 * The categories of random runs.
 *
 * - `conforming`: no deviation, on any network that answers
 * - `used by others`: the same, and somebody else uses the keys, before the run or in mid-run
 * - `bad day`: the same, and answers are lost
 * - `one deviation`, `two deviations`: of operators that the judge knows
 * - `from outside`: a limiter for which the judge has no word
 */
export type RunKind = 'conforming' | 'used by others' | 'bad day' | 'one deviation' | 'two deviations' | 'from outside';

/** A random run, with the truth about it. */
export interface DrawnRun {
  readonly kind: RunKind;
  readonly seed: number;
  readonly options: VirtualRunOptions;
  readonly deployment: Deployment;
  /** Null but for `from outside`. */
  readonly stranger: StrangerName | null;
  readonly others: readonly OtherUse[];
  /** The requirements that the deployment breaks. */
  readonly broken: readonly RequirementId[];
  /** Other requirements that single answers may contradict. */
  readonly mayFollow: readonly RequirementId[];
  /** The deployment and the network in words. */
  readonly what: string;
}

const NETWORKS: readonly (readonly [string, Network])[] = [
  ['loopback', QUIET_NETWORK],
  ['loopback', QUIET_NETWORK],
  ['near', { uplink: [300, 6_000], work: [200, 8_000], downlink: [300, 6_000], lost: 0 }],
  ['far', { uplink: [20_000, 60_000], work: [1000, 20_000], downlink: [20_000, 60_000], lost: 0 }],
  ['slow', { uplink: [1000, 90_000], work: [100, 40_000], downlink: [1000, 90_000], lost: 0 }],
  ['very slow', { uplink: [1000, 400_000], work: [100, 300_000], downlink: [1000, 400_000], lost: 0 }],
];
const LOSSES = [0.003, 0.01, 0.03];

/** The run of this kind that belongs to a seed. @param operator the deviation to draw; default: a random one */
export function drawRun(kind: RunKind, seed: number, operator: OperatorId | null = null): DrawnRun {
  const random = seededRandom(seed, operator === null ? kind : `${kind} ${operator}`);
  const keys = pick(random, [1, 2, 4, 4]);
  const profile = drawProfile(random);
  const deviating = kind === 'one deviation' ? 1 : kind === 'two deviations' ? 2 : 0;
  const surface = surfaceOf(profile, keys);
  const stranger = kind === 'from outside' ? pick(random, Object.keys(STRANGERS) as StrangerName[]) : null;
  const drawn = drawChoices(random);
  const isPlain = deviating === 0 && stranger === null;
  // Drawn by itself, so that the runs of known seeds stay as they are.
  const choices = isPlain ? drawRareMechanism(seededRandom(seed, 'opening'), drawn) : drawn;
  let deployment: Deployment = { choices, deviations: [] };
  // If the surface gives no occasion for it, another one is drawn.
  for (let tries = 0; tries < 100 && deployment.deviations.length < deviating; tries++) {
    deployment = drawDeployment(random, surface, operator === null ? drawOperators(random, deviating) : [operator]);
  }
  const [networkName, network] = pick(random, NETWORKS);
  const lost = kind === 'bad day' ? pick(random, LOSSES) : 0;
  const others = kind === 'used by others' ? drawOthers(random, surface.keys) : [];
  const { deviations } = deployment;
  const { mechanism } = deployment.choices;
  const mechanisms = [...new Set([mechanism.read.name, mechanism.write.name])].join(' and ');
  return {
    kind,
    seed,
    options: {
      profile,
      keys,
      conduct: (times) => {
        const behaviour = behaviourOf(deployment, times);
        return stranger === null ? behaviour : { ...behaviour, ...STRANGERS[stranger].change(times) };
      },
      seed,
      epoch: Date.UTC(2026, 10, 21, 8, 30) * 1000 + Math.floor(random() * 3600 * SECOND),
      network: { ...network, lost },
      others,
    },
    deployment,
    stranger,
    others,
    broken: [...new Set(deviations.flatMap((each) => breaks(each)))],
    mayFollow: [...new Set(deviations.flatMap((each) => mayShow(each)))],
    what: [
      ...(stranger === null ? deviations.map((each) => sentence(each)) : [STRANGERS[stranger].sentence]),
      [
        stranger === null ? mechanisms : 'from outside',
        `${keys} ${keys === 1 ? 'key' : 'keys'}`,
        `${networkName} network`,
        ...(lost > 0 ? [`${lost * 100} % lost`] : []),
        ...others.map(said),
      ].join(', '),
    ].join(' '),
  };
}

/**
 * Use of one key or of all, once or several times: 1, 3, 20 or 100 requests of either kind, at one of six moments of
 * the run or before it.
 */
function drawOthers(random: Random, keys: readonly string[]): OtherUse[] {
  const used = random() < 0.5 ? [pick(random, keys)] : keys;
  return Array.from({ length: pick(random, [1, 1, 2, 4]) }, () => {
    const kind = pick(random, ['read', 'write'] as const);
    const requests = pick(random, [1, 3, 20, 100]);
    const at = pick(random, [-30, 2, 12, 25, 45, 70, 95]) * SECOND + whole(random, 0, 3 * SECOND);
    const every = pick(random, [200, 5_000, 100_000]);
    return used.map((key) => ({ key, kind, requests, at, every }));
  }).flat();
}

function said({ key, kind, requests, at }: OtherUse): string {
  return `${requests} ${kind}${requests === 1 ? '' : 's'} of others on ${key} at ${(at / SECOND).toFixed(1)} s`;
}
