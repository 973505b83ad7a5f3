import type { Layers } from '../oracle/check.ts';
import type { Variant } from '../oracle/explain.ts';
import { firstContradiction } from '../oracle/first-contradiction.ts';
import type { History } from '../oracle/history.ts';
import { readPhase } from '../oracle/marker-phase.ts';
import { SHAPES, type Shape, variantOf } from '../oracle/shapes.ts';
import type { Work } from '../oracle/work.ts';
import { anyCounting, groupsOf } from './fit.ts';
import type { World } from './world.ts';

/** Mechanisms that tell how far a run is explained: each by its plainest form. */
const PLAIN = SHAPES.filter(
  ({ lag, refusedCounted, reset, latch, marker }) =>
    lag === 0 && !refusedCounted && reset === 'oldest' && !latch && marker === undefined,
);

/** How much of a world's histories is explained, of each by the mechanism that goes furthest. */
export function explainedShare({ histories, layers, window }: World, work: Work): number {
  const shares = histories.map((history) => {
    const choice = anyCounting(groupsOf([history]));
    return PLAIN.reduce(
      (most, shape) => Math.max(most, shareOf(variantOf(shape, choice), history, work, layers, window)),
      0,
    );
  });
  return shares.length === 0 ? 0 : shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

/** The mechanisms that explain most of a world's histories together, those that explain most first. */
export function furthestShapes({ shapes, histories, layers, window }: World, work: Work): readonly Shape[] {
  const choice = anyCounting(groupsOf(histories));
  const shares = new Map(
    shapes.map((shape) => {
      const variant = variantOf(shape, choice);
      const sum = histories.reduce((all, history) => all + shareOf(variant, history, work, layers, window), 0);
      return [shape, sum];
    }),
  );
  return [...shapes].sort((one, other) => (shares.get(other) ?? 0) - (shares.get(one) ?? 0));
}

/** How much of a history is explained, from its first request to the first that contradicts the mechanism. */
function shareOf(variant: Variant, history: History, work: Work, layers: Layers, window: number): number {
  const { phase, onGrid } = readPhase(history);
  const found = firstContradiction(variant, history, phase, work, layers, window);
  if (found && !found.event) return 0;
  const { length } = history.events;
  const explained = found?.event ? history.events.indexOf(found.event) : length;
  // Where markers are on no grid, it is not known where to hold the windows of one against them.
  const hasGrid = (variant.mechanism === 'grid' || variant.mechanism === 'counter') && variant.marker === undefined;
  return (layers.reset && hasGrid ? Math.min(explained, onGrid) : explained) / length;
}
