import { contradictedIn } from '../oracle/first-contradiction.ts';
import { commonPhase } from '../oracle/marker-phase.ts';
import { SHAPES, type Shape, variantOf } from '../oracle/shapes.ts';
import type { Work } from '../oracle/work.ts';
import { anyCounting, groupsOf } from './fit.ts';
import type { World } from './world.ts';

/** Mechanisms that tell how much of a run is explained: the plainest form of each family. */
const FAMILIES: ReadonlySet<Shape['mechanism']> = new Set(['grid', 'anchored', 'log', 'counter']);
const PLAIN = SHAPES.filter(
  ({ mechanism, lag, refusedCounted, reset, latch, marker }) =>
    FAMILIES.has(mechanism) && lag === 0 && !refusedCounted && reset === 'oldest' && !latch && marker === undefined,
);

/** How much of a world's histories is explained, of all by the one mechanism that explains most. */
export function explainedShare(world: World, work: Work): number {
  const requests = requestsOf(world);
  const rest = unexplainedIn(world, work);
  const least = PLAIN.reduce((most, shape) => Math.min(most, rest(shape, most)), requests);
  return requests === 0 ? 0 : 1 - least / requests;
}

/**
 * Of each family of mechanisms the one that explains most of a world's histories together; those that explain most first. Where markers tell no phase, a
 * grid is contradicted by fewer requests than other windows, so that families are not held against each other.
 */
export function furthestShapes(world: World, work: Work): readonly Shape[] {
  const rest = unexplainedIn(world, work);
  const furthest = [...Map.groupBy(world.shapes, ({ mechanism }) => mechanism).values()].flatMap((family) => {
    let best: { readonly shape: Shape; readonly count: number } | null = null;
    for (const shape of family) {
      // One that explains less than another of its family need not be counted to the end.
      const count = rest(shape, best ? best.count : requestsOf(world));
      if (!best || count < best.count) best = { shape, count };
    }
    return best ?? [];
  });
  return furthest.sort((one, other) => one.count - other.count).map(({ shape }) => shape);
}

function requestsOf({ histories }: World): number {
  return histories.reduce((sum, { events }) => sum + events.length, 0);
}

/**
 * How many requests of a world's histories a mechanism does not explain: those that contradict it. Where there are more than `most`, they are not
 * counted to the end. What is read off the markers is the same for all mechanisms.
 */
function unexplainedIn(world: World, work: Work): (shape: Shape, most: number) => number {
  const choice = anyCounting(groupsOf(world.histories));
  const phased = world.histories.map((history) => ({ history, ...commonPhase(history, world.window) }));
  return (shape, most) => {
    const variant = variantOf(shape, choice);
    // Markers that are on no grid with most others are the end of none of its windows.
    const hasGrid = (shape.mechanism === 'grid' || shape.mechanism === 'counter') && shape.marker === undefined;
    let rest = 0;
    for (const { history, phase, off } of phased) {
      const least = world.layers.reset && hasGrid ? off : 0;
      if (rest + least > most) return most + 1;
      rest += Math.max(least, contradictedIn(variant, history, phase, world, work, most - rest));
    }
    return rest;
  };
}
