import type { Plan } from './plan.ts';
import type { Track } from './tracks.ts';

/**
 * When a plan ends, in seconds after its start, if some of its tracks begin later than planned. What follows all tracks
 * moves with the last of them. The tracks of the first key wait for each other, since its single requests come between.
 *
 * @param late by the track's name, how many seconds later than planned it begins
 */
export function lateEnd(
  { tracks, experiments, seconds }: Pick<Plan, 'tracks' | 'experiments' | 'seconds'>,
  late: ReadonlyMap<string, number>,
): number {
  const firstKey = tracks[0]?.key;
  const delayOf = ({ id, key }: Track): number => {
    const together = key === firstKey ? tracks.filter((each) => each.key === key).map((each) => each.id) : [id];
    return Math.max(0, ...together.map((each) => late.get(each) ?? 0));
  };
  const ends = tracks.map((track) => {
    const planned = experiments.find(({ id }) => id === track.id);
    const end = planned ? planned.start + planned.seconds : 0;
    return { planned: end, expected: end + delayOf(track) };
  });
  const last = Math.max(0, ...ends.map(({ planned }) => planned));
  const expected = Math.max(0, ...ends.map((end) => end.expected));
  return seconds + expected - last;
}
