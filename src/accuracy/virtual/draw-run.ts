import type { RequirementId } from '../../catalogue/requirement.ts';
import { type Deployment, SECOND } from '../../deployment/deployment.ts';
import { pick } from '../../deployment/operator.ts';
import { breaks, mayShow, type OperatorId, sentence } from '../../deployment/operators.ts';
import { seededRandom } from '../../random/random.ts';
import { behaviourOf } from '../../reference/behaviour.ts';
import { type Network, QUIET_NETWORK } from '../../reference/network.ts';
import { drawChoices, drawDeployment, drawOperators, drawRareMechanism, surfaceOf } from './draw-deployment.ts';
import { drawProfile } from './draw-profile.ts';
import { drawUse } from './draw-use.ts';
import { STRANGERS, type StrangerName } from './strangers.ts';
import type { OtherUse, VirtualRunOptions } from './virtual-run.ts';

/**
 * The categories of random runs.
 *
 * - `conforming`: no deviation, on any network that answers
 * - `used by others`: the same, and somebody else uses the keys, before the run or in mid-run
 * - `used steadily`: the same, and does so again and again until the end of the run
 * - `bad day`: the same, and answers are lost
 * - `one deviation`, `two deviations`: of operators that the judge knows
 * - `from outside`: a limiter for which the judge has no word
 */
export type RunKind =
  | 'conforming'
  | 'used by others'
  | 'used steadily'
  | 'bad day'
  | 'one deviation'
  | 'two deviations'
  | 'from outside';

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
  const use = drawUse(kind, random, surface.keys);
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
      others: use.others,
    },
    deployment,
    stranger,
    others: use.others,
    broken: [...new Set(deviations.flatMap((each) => breaks(each)))],
    mayFollow: [...new Set(deviations.flatMap((each) => mayShow(each)))],
    what: [
      ...(stranger === null ? deviations.map((each) => sentence(each)) : [STRANGERS[stranger].sentence]),
      [
        stranger === null ? mechanisms : 'from outside',
        `${keys} ${keys === 1 ? 'key' : 'keys'}`,
        `${networkName} network`,
        ...(lost > 0 ? [`${lost * 100} % lost`] : []),
        ...use.said,
      ].join(', '),
    ].join(' '),
  };
}
