import type { Deviation } from '../../deployment/operators.ts';
import { isBucket } from '../../oracle/diagnose/bucket.ts';
import { isQueue } from '../../oracle/diagnose/queue.ts';
import { countersOf } from '../../oracle/diagnose/unshared.ts';
import { WINDOW } from '../../oracle/history.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import type { World } from '../world.ts';

/** Bits to say the size of a bucket, or how many nodes there are. */
const SIZE_BITS = 7;

/** Bits for what is not held against nodes: which of them counted each request. */
const UNJUDGED_BITS = 8;

/** Limiters that have no window, and nodes of which each counts by itself: each is held against all histories by what it does. */
export function* proposeMechanisms(world: World, { kind }: SearchContext): Iterable<Proposal> {
  if (world.window !== WINDOW) return;
  const { histories } = world;
  const proposal = (deviation: Deviation, unjudged = 0): Proposal => ({
    deviations: [deviation],
    bits: DEVIATION_BITS + SIZE_BITS + unjudged,
    world,
    explained: true,
  });
  const bucket = (name: 'queue' | 'token bucket'): Proposal =>
    proposal({ operator: 'other-mechanism', parameters: { kinds: [kind], name, burst: 1, marker: 'all' } });
  if (isQueue(histories)) yield bucket('queue');
  if (isBucket(histories)) yield bucket('token bucket');
  const nodes = Math.max(0, ...histories.map((history) => countersOf(history) ?? 0));
  if (nodes > 1) {
    const parameters = { kinds: [kind], nodes, sync: null, routing: 'at random' } as const;
    yield proposal({ operator: 'nodes-apart', parameters }, UNJUDGED_BITS);
  }
}
