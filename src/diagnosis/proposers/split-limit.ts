import { leftOfShare, type Split, shareOfNode } from '../../deployment/deviations/nodes-apart.ts';
import type { History } from '../../oracle/history.ts';
import { changed, type World, withEvents } from '../world.ts';

/** Bits to state that the limit is split among nodes (1), and in which of four ways (2). */
export const SPLIT_BITS = 3;

/** The rules by which a node may have its share, and tell what it has left. */
const SPLITS: readonly Split[] = (['times nodes', 'own'] as const).flatMap((told) =>
  (['down', 'up'] as const).map((rounded): Split => ({ rounded, told })),
);

/** A world seen by nodes that each have only a share of the limit. */
interface SplitWorld {
  readonly split: Split;
  readonly world: World;
}

/**
 * The rules by which the limit may be split among so many nodes: those by which a new node has exactly its share left,
 * and no answer tells more, nor a number that no node tells. Of rules that read all answers alike there is one.
 */
export function splitsOf(world: World, nodes: number): readonly SplitWorld[] {
  const found: SplitWorld[] = [];
  const known = new Set<string>();
  for (const split of SPLITS) {
    if (!world.histories.every((history) => fits(history, nodes, split))) continue;
    const seen = changed(world, (history) => seenByNodes(history, nodes, split));
    const read = `${split.told} ${seen.histories.map(({ limit }) => limit).join()}`;
    if (known.has(read)) continue;
    known.add(read);
    found.push({ split, world: seen });
  }
  return found;
}

/** Whether what a budget's answers tell may be what is left of each node's share. */
function fits({ limit, events }: History, nodes: number, split: Split): boolean {
  const share = shareOfNode(limit, nodes, split);
  let most = 0;
  for (const { remaining } of events) {
    if (remaining === null || remaining === 0) continue;
    if (split.told === 'times nodes' && !isStep(remaining, limit, nodes) && !isStep(remaining, share * nodes, nodes))
      return false;
    const left = leftOfShare(remaining, nodes, split);
    if (left > share) return false;
    most = Math.max(most, left);
  }
  // The first answer of a node, or one that did not count, shows the whole share.
  return most === 0 || most >= share - 1;
}

function isStep(told: number, limit: number, nodes: number): boolean {
  return Math.abs(limit - told) % nodes === 0;
}

function seenByNodes(history: History, nodes: number, split: Split): History {
  const share = shareOfNode(history.limit, nodes, split);
  const own = withEvents(history, (event) =>
    event.remaining === null ? event : { ...event, remaining: leftOfShare(event.remaining, nodes, split) },
  );
  return { ...own, limit: share, shown: share };
}
