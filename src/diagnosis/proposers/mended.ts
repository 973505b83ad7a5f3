import { groupsOf } from '../../oracle/failed-groups.ts';
import { firstContradiction } from '../../oracle/first-contradiction.ts';
import type { Event } from '../../oracle/history.ts';
import { phaseByMarkers } from '../../oracle/marker-phase.ts';
import { type Choice, type Shape, variantOf } from '../../oracle/shapes.ts';
import type { SearchContext } from '../proposal.ts';
import { leftOpen, unclear, type World, withEvents } from '../world.ts';

/** A world in which some answers are left open, because they contradict everything else. */
interface Mended {
  readonly world: World;
  readonly open: ReadonlySet<Event>;
}

/**
 * The mechanism under which the fewest answers contradict a world, with these answers left open; null if there are more
 * than `most` under each, or none. Failed requests all count, or none does. An assignment that is right but for a few
 * requests is mended so (Minton et al. 1992: repair the conflicts of an assignment that nearly fits).
 */
export function mended(world: World, most: number, context: Pick<SearchContext, 'fitter' | 'work'>): Mended | null {
  const groups = groupsOf(world.histories);
  let best: Mended | null = null;
  let bound = most;
  for (const shape of world.shapes) {
    for (const counted of [groups, []]) {
      const choice = { failedCounted: new Set(counted), undecided: new Set<string>(), loose: false };
      const open = contradicting(world, shape, choice, bound, context);
      if (!open) continue;
      if (open.size === 0) return null;
      bound = open.size - 1;
      best = { world: { ...leftOpen(world, (event) => open.has(event)), shapes: [shape] }, open };
    }
  }
  return best;
}

/** The answers that contradict a mechanism, one after the other; null if there are more than `most`. */
function contradicting(
  { histories, ...world }: World,
  shape: Shape,
  choice: Choice,
  most: number,
  { fitter, work }: Pick<SearchContext, 'fitter' | 'work'>,
): ReadonlySet<Event> | null {
  const open = new Set<Event>();
  for (const history of histories) {
    for (let own = history; ; ) {
      if (fitter.under({ ...world, histories: [own] }, shape, choice)) break;
      const phase = phaseByMarkers(own, world.window);
      const found = firstContradiction(variantOf(shape, choice), own, phase, world, work)?.event;
      if (!found || open.has(found) || open.size >= most) return null;
      open.add(found);
      own = withEvents(own, (event) => (open.has(event) ? unclear(event) : event));
    }
  }
  return open;
}
