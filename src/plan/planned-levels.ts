import type { Levels } from './cover.ts';
import type { Plan } from './plan.ts';
import { levelsOf } from './trials.ts';
import { levelsOfLoad } from './windows.ts';

/** What a plan sends: its single requests, and each class of the bursts within the limit, over it, and in its company. */
export function plannedLevels({ schedule, tracks }: Plan): readonly Levels[] {
  const bursts = tracks.flatMap(({ key, loads }) => loads.flatMap((load) => levelsOfLoad(load, key)));
  return [...[...schedule.early, ...schedule.late].map(levelsOf), ...bursts];
}
