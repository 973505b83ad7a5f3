import type { Levels } from './cover.ts';
import type { Plan } from './plan.ts';
import { levelsOf } from './trials.ts';
import { levelsOfLoad } from './windows.ts';

/**
 * The levels of a plan's requests: its single requests, and each class of the bursts within the limit, over it, and
 * together with others.
 */
export function plannedLevels({ schedule, tracks }: Plan): readonly Levels[] {
  const bursts = tracks.flatMap(({ key, loads }) => loads.flatMap((load) => levelsOfLoad(load, key)));
  return [...[...schedule.early, ...schedule.late].map(levelsOf), ...bursts];
}
