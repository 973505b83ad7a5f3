import type { Layers } from '../oracle/check.ts';
import { anyCounting, groupsOf } from '../oracle/failed-groups.ts';
import { contradictedIn } from '../oracle/first-contradiction.ts';
import { familyOf, loosestOf } from '../oracle/loosest.ts';
import { commonPhase } from '../oracle/marker-phase.ts';
import { SHAPES, type Shape, variantOf } from '../oracle/shapes.ts';
import type { Work } from '../oracle/work.ts';
import type { World } from './world.ts';

/** The mechanisms by which the explained share of a run is measured: the plainest form of each family. */
const FAMILIES: ReadonlySet<Shape['mechanism']> = new Set(['grid', 'anchored', 'log', 'counter']);
const PLAIN = SHAPES.filter(
  ({ mechanism, lag, refusedCounted, reset, latch, marker }) =>
    FAMILIES.has(mechanism) && lag === 0 && !refusedCounted && reset === 'oldest' && !latch && marker === undefined,
);

/**
 * The explained share of a world's histories, under the one mechanism that explains most.
 *
 * @param mostRest if a larger share than this is unexplained, it need not be counted how large: the result is too large
 *   then, but less than 1 - `mostRest`
 */
export function explainedShare(world: World, work: Work, mostRest = 1): number {
  const requests = requestsOf(world);
  const rest = unexplainedIn(world, work);
  const most = Math.min(requests, Math.floor(requests * mostRest) + 1);
  const least = PLAIN.reduce((most, shape) => Math.min(most, rest(shape, most)), most);
  return requests === 0 ? 0 : 1 - least / requests;
}

/**
 * The mechanism of each family that explains most of a world's histories together, best first. If markers show no
 * phase, fewer requests contradict a grid than other windows, so families are not compared with each other.
 */
export function furthestShapes(world: World, work: Work): readonly Shape[] {
  const rest = unexplainedIn(world, work);
  const leastOf = leastIn(world, rest);
  const furthest = [...Map.groupBy(world.shapes, ({ mechanism }) => mechanism).values()].flatMap((family) => {
    let best: { readonly shape: Shape; readonly count: number } | null = null;
    for (const shape of family) {
      if (best && leastOf(shape, best.count - 1) >= best.count) continue;
      // If a mechanism explains less than another of its family, its count need not be finished.
      const count = rest(shape, best ? best.count : requestsOf(world));
      if (!best || count < best.count) best = { shape, count };
    }
    return best ?? [];
  });
  return furthest.sort((one, other) => one.count - other.count).map(({ shape }) => shape);
}

/** How many requests contradict a shape. Counting stops above `most`. @param layers what is read; left out: all */
type Rest = (shape: Shape, most: number, layers?: Layers) => number;

/**
 * The least number of requests that contradict a shape: as many contradict the loosest of those that count alike, whose
 * markers are not read. Counting stops above `most`, which is lower each time.
 */
function leastIn({ shapes, layers }: World, rest: Rest): (shape: Shape, most: number) => number {
  const families = Map.groupBy(shapes, familyOf);
  const leasts = new Map<string, number>();
  return (shape, most) => {
    const name = familyOf(shape);
    const [one, ...more] = families.get(name) ?? [];
    if (!one || more.length < FEWEST_OTHERS) return 0;
    const least = leasts.get(name) ?? rest(loosestOf([one, ...more]), most, { ...layers, reset: false });
    leasts.set(name, least);
    return least;
  };
}

/** With fewer shapes beside one, it takes as long to compare each of them as the loosest. */
const FEWEST_OTHERS = 2;

/** How many requests the histories of a world have. */
export function requestsOf({ histories }: World): number {
  return histories.reduce((sum, { events }) => sum + events.length, 0);
}

/**
 * How many requests of a world's histories contradict a mechanism. Counting stops above `most`. What is read from the
 * markers is the same for all mechanisms.
 */
function unexplainedIn(world: World, work: Work): Rest {
  const { window } = world;
  const choice = anyCounting(groupsOf(world.histories));
  const phased = world.histories.map((history) => ({ history, ...commonPhase(history, window) }));
  return (shape, most, layers = world.layers) => {
    const variant = variantOf(shape, choice);
    // A marker that is not on the grid of most other markers is not the end of a window of the grid.
    const hasGrid = (shape.mechanism === 'grid' || shape.mechanism === 'counter') && shape.marker === undefined;
    let rest = 0;
    for (const { history, phase, off } of phased) {
      const least = layers.reset && hasGrid ? off : 0;
      if (rest + least > most) return most + 1;
      rest += Math.max(least, contradictedIn(variant, history, phase, { layers, window }, work, most - rest));
    }
    return rest;
  };
}
