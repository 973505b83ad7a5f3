import { SECOND } from '../../deployment/deployment.ts';
import { pick, whole } from '../../deployment/operator.ts';
import { type Random, seededRandom } from '../../random/random.ts';
import { conductOf, defectNamed } from '../../reference/conduct.ts';
import { DEFECTS } from '../../reference/defects.ts';
import { type Network, QUIET_NETWORK } from '../../reference/simulate.ts';
import { VARIANTS } from '../../reference/variants.ts';
import { drawProfile } from './draw-profile.ts';
import type { OtherUse, VirtualRunOptions } from './virtual-run.ts';

export type RunKind = 'conforming' | 'used by others' | 'bad day' | 'defect';

/** A run at random, with the truth about it. */
export interface DrawnRun {
  readonly kind: RunKind;
  readonly options: VirtualRunOptions;
  readonly broken: readonly string[];
  readonly mayFollow: readonly string[];
  /** The deployment and what lay between in words. */
  readonly what: string;
}

const SLOW: Network = { uplink: [1000, 90_000], work: [100, 40_000], downlink: [1000, 90_000], lost: 0 };
const NETWORKS: readonly (readonly [string, Network])[] = [
  ['quiet', QUIET_NETWORK],
  ['quiet', QUIET_NETWORK],
  ['near', { uplink: [300, 6_000], work: [200, 8_000], downlink: [300, 6_000], lost: 0 }],
  ['slow', SLOW],
  ['very slow', { uplink: [1000, 400_000], work: [100, 300_000], downlink: [1000, 400_000], lost: 0 }],
];
const LOSSES = [0.003, 0.01, 0.03];

/** Requirements that a limiter can break: defects of others say nothing about limits. */
const LIMITS_AND_HEADERS = /^(LIMIT-|HDR-[34578])/;

/** The run of this kind that belongs to a seed. */
export function drawRun(kind: RunKind, seed: number): DrawnRun {
  const random = seededRandom(seed, kind);
  const keys = pick(random, [1, 2, 4, 4]);
  const defect = kind === 'defect' ? pick(random, DEFECTS.filter(isOfLimits)).name : null;
  const variant = defect === null ? pick(random, VARIANTS).name : null;
  const fault = defect === null ? null : defectNamed(defect);
  const [networkName, network] = pick(random, NETWORKS);
  const lost = kind === 'bad day' ? pick(random, LOSSES) : 0;
  const others = kind === 'used by others' ? drawOthers(random, keys) : [];
  return {
    kind,
    options: {
      profile: drawProfile(random),
      keys,
      conduct: conductOf(variant, defect),
      seed,
      epoch: Date.UTC(2026, 10, 21, 8, 30) * 1000 + Math.floor(random() * 3600 * SECOND),
      network: { ...network, lost },
      others,
    },
    broken: fault?.must ?? [],
    mayFollow: fault?.may ?? [],
    what: [
      defect ?? variant ?? '',
      `${keys} keys`,
      `${networkName} network`,
      lost > 0 ? `${lost * 100} % lost` : '',
      ...others.map(said),
    ]
      .filter((part) => part !== '')
      .join(', '),
  };
}

function isOfLimits({ must, observable }: (typeof DEFECTS)[number]): boolean {
  return observable === true && must.every((id) => LIMITS_AND_HEADERS.test(id));
}

/** 1, 3, 20 or 100 requests of either kind, on one key or all, at one of six moments of the run, or before it. */
function drawOthers(random: Random, keys: number): OtherUse[] {
  const kind = pick(random, ['read', 'write'] as const);
  const requests = pick(random, [1, 3, 20, 100]);
  const at = pick(random, [-30, 2, 12, 25, 45, 70, 95]) * SECOND + whole(random, 0, 3 * SECOND);
  const every = pick(random, [200, 5_000, 100_000]);
  const all = Array.from({ length: keys }, (_, index) => `key-${index + 1}`);
  const used = random() < 0.5 ? [pick(random, all)] : all;
  return used.map((key) => ({ key, kind, requests, at, every }));
}

function said({ key, kind, requests, at }: OtherUse): string {
  return `${requests} ${kind}s of others on ${key} at ${(at / SECOND).toFixed(1)} s`;
}
