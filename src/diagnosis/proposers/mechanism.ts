import { isBucket } from '../../oracle/diagnose/bucket.ts';
import { isQueue } from '../../oracle/diagnose/queue.ts';
import { WINDOW } from '../../oracle/history.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import type { World } from '../world.ts';

/** Bits to state the size of a bucket. */
const SIZE_BITS = 7;

/** Limiters without windows. Each is compared with all histories by simulating it. */
export function* proposeMechanisms(world: World, { kind, otherKind }: SearchContext): Iterable<Proposal> {
  if (world.window !== WINDOW) return;
  const { histories } = world;
  const bucket = (name: 'queue' | 'token bucket'): Proposal => ({
    deviations: [{ operator: 'other-mechanism', parameters: { kinds: [kind], name, burst: 1, marker: 'all' } }],
    bits: DEVIATION_BITS + SIZE_BITS,
    world,
    explained: { shape: null },
  });
  if (isQueue(histories)) yield bucket('queue');
  if (isBucket(histories, otherKind)) yield bucket('token bucket');
}
