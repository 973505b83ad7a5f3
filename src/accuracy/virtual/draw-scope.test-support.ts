import { LIMITS } from '../../catalogue/limits.ts';
import { type Deployment, SECOND, WINDOW } from '../../deployment/deployment.ts';
import { pick, type Surface, whole } from '../../deployment/operator.ts';
import { type Deviation, sentence } from '../../deployment/operators.ts';
import { type Random, seededRandom } from '../../random/random.ts';
import { behaviourOf } from '../../reference/behaviour.ts';
import { QUIET_NETWORK } from '../../reference/network.ts';
import type { Kind } from '../../trace/exchange.ts';
import { drawChoices, surfaceOf } from './draw-deployment.ts';
import { drawProfile, wholeProfile } from './draw-profile.ts';
import type { VirtualRunOptions } from './virtual-run.ts';

/** A run against a deployment that counts some operations in other budgets: it breaks LIMIT-SCOPE. */
export interface ScopeDraw {
  readonly options: VirtualRunOptions;
  /** In words, for whoever looks into a miss. */
  readonly what: string;
}

const KEYS = 4;

/**
 * The draw of a seed: some but not all operations of a kind are exempt, have an additional limit, or their own budget;
 * with any conforming mechanism and four keys.
 */
export function drawScope(seed: number): ScopeDraw {
  const random = seededRandom(seed, 'scope');
  for (;;) {
    const profile = random() < 0.5 ? wholeProfile() : drawProfile(random);
    const deviation = drawSubset(random, surfaceOf(profile, KEYS));
    if (deviation === null) continue;
    const deployment: Deployment = { choices: drawChoices(random), deviations: [deviation] };
    const { read, write } = deployment.choices.mechanism;
    return {
      options: {
        profile,
        keys: KEYS,
        conduct: (times) => behaviourOf(deployment, times),
        seed,
        epoch: Date.UTC(2026, 10, 21, 8, 30) * 1000 + Math.floor(random() * 3600 * SECOND),
        network: QUIET_NETWORK,
      },
      what: `${sentence(deviation)} ${profile.operations.length} operations, ${read.name} and ${write.name}.`,
    };
  }
}

/** Null if no kind has at least two operations. */
function drawSubset(random: Random, { operations }: Surface): Deviation | null {
  const kind: Kind = pick(random, ['read', 'write']);
  const ids = operations.filter((each) => each.kind === kind).map(({ id }) => id);
  const chance = random();
  const some = ids.filter(() => random() < 0.5);
  if (some.length === 0 || some.length === ids.length) return null;
  const kinds = [kind];
  if (chance < 1 / 3) {
    const limit = whole(random, Math.ceil(LIMITS[kind] / 10), Math.floor(LIMITS[kind] * 0.8));
    const only = { attribute: 'operation', classes: some } as const;
    return { operator: 'second-limit', parameters: { kinds, only, limit, window: WINDOW } };
  }
  const plain = { kinds, attribute: 'operation', others: 'together', exemptHeaders: 'of the others' } as const;
  if (chance < 2 / 3) return { operator: 'finer-scope', parameters: { ...plain, blocks: [some], exempt: [] } };
  const exemptHeaders = pick(random, ['of the others', 'unused'] as const);
  return { operator: 'finer-scope', parameters: { ...plain, blocks: [], exempt: some, exemptHeaders } };
}
