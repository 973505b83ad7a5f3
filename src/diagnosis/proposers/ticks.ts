import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { changed, type World, withEvents } from '../world.ts';
import { crowdedIn, deviationOf } from './crowd.ts';
import { dropsOf, overwritten, racesOf } from './drops.ts';

/** A tick of the clock by which entries of a log are named, in µs: a millisecond. */
const TICK = 1_000;

/** Bits to state that not only requests that overlap are joined, but all of one tick. */
const TICK_BITS = 1;

/**
 * A log that names each entry by its time, and so has one entry for all requests of one millisecond, whether they
 * overlap or not.
 */
export function* proposeTicks(world: World, { kind }: SearchContext): Iterable<Proposal> {
  const crowded = new Set(world.histories.flatMap(({ events }) => crowdedIn(events, TICK)));
  const overlapping = new Set(world.histories.flatMap(({ events }) => crowdedIn(events, 0)));
  if (crowded.size === overlapping.size) return;
  for (const { shapes, race } of racesOf(dropsOf(world), crowded)) {
    const logs = shapes.filter(({ mechanism }) => mechanism === 'log');
    if (logs.length === 0 || race === 0) continue;
    yield {
      deviations: [deviationOf(0, kind)],
      bits: DEVIATION_BITS + TICK_BITS + race,
      world: {
        ...changed(world, (history) => ({
          ...withEvents(history, (event) => (crowded.has(event) ? overwritten(event, TICK) : event)),
          racing: true,
        })),
        shapes: logs,
      },
    };
  }
}
