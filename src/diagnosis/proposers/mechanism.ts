import { bucketOf } from '../../oracle/diagnose/bucket.ts';
import { isQueue } from '../../oracle/diagnose/queue.ts';
import { WINDOW } from '../../oracle/history.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import type { World } from '../world.ts';
import { UNJUDGED_BITS } from './header-bits.ts';

/** Bits to state the size of a bucket. */
const SIZE_BITS = 7;

/** Bits for a Remaining that is not the level of the bucket: it is wrong by itself, and follows no rule. */
const UNTOLD_BITS = DEVIATION_BITS + UNJUDGED_BITS;

/** Limiters without windows. Each is compared with all histories by simulating it. */
export function* proposeMechanisms(world: World, { kind, otherKind }: SearchContext): Iterable<Proposal> {
  if (world.window !== WINDOW) return;
  const { histories } = world;
  const limiter = (name: 'queue' | 'token bucket', more = 0): Proposal => ({
    deviations: [{ operator: 'other-mechanism', parameters: { kinds: [kind], name, burst: 1, marker: 'all' } }],
    bits: DEVIATION_BITS + SIZE_BITS + more,
    world,
    explained: { shape: null },
  });
  if (isQueue(histories)) yield limiter('queue');
  const bucket = bucketOf(histories, otherKind);
  if (bucket) yield limiter('token bucket', bucket.tellsLevel ? 0 : UNTOLD_BITS);
}
