import type { History, Range } from '../../oracle/history.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { changed, type World, withEvents } from '../world.ts';
import { bitsOfLength } from './round.ts';

const SECOND = 1_000_000;

/**
 * Markers that tell of the next window when the end of a window is near: those that lie further ahead than a window are
 * read as a window earlier, and those of which this is not certain are not read.
 */
export function* proposeNextMarkers(world: World, { kind }: SearchContext): Iterable<Proposal> {
  if (!world.layers.reset) return;
  const certain = earliness(world.histories, world.window, anySlack);
  if (certain === null) return;
  const lag = likelyIn(earliness(world.histories, world.window, likelySlack) ?? certain);
  yield {
    deviations: [{ operator: 'marker-header', parameters: { kinds: [kind], change: { lag }, only: 'all' } }],
    bits: DEVIATION_BITS + bitsOfLength(lag),
    world: changed(world, (history) => ownMarkers(history, world.window)),
  };
}

/**
 * How long before the end of a window its markers tell of the next one (µs): at least as long as some lie further ahead
 * than a window, and no longer than the nearest lies ahead. Null if none lies further ahead than a window.
 *
 * @param slack how much later and earlier markers may lie than they say, by clock and rounding
 */
function earliness(histories: readonly History[], window: number, slack: (history: History) => Range): Range | null {
  let low = 0;
  let high = window;
  for (const history of histories) {
    const { low: least, high: most } = slack(history);
    for (const { reset, from, to } of history.events) {
      if (reset === null) continue;
      low = Math.max(low, reset + least - to - window);
      high = Math.min(high, reset + most - from);
    }
  }
  return low > 0 && high > low ? { low, high } : null;
}

/** Everything that the clock of the deployment and the rounding of its markers allow. */
function anySlack({ offset, unit }: History): Range {
  return { low: -offset.high - (unit ?? 0), high: -offset.low + (unit ?? 0) };
}

/** Most clocks are right, as far as `Date` admits it, and most markers are read as they are written. */
function likelySlack({ offset }: History): Range {
  const clock = Math.min(Math.max(0, offset.low), offset.high);
  return { low: -clock, high: -clock };
}

/** The whole second nearest to the middle; where none is within the bounds, the middle. */
function likelyIn({ low, high }: Range): number {
  const middle = (low + high) / 2;
  const whole = Math.round(middle / SECOND) * SECOND;
  return whole >= low && whole <= high && whole > 0 ? whole : middle;
}

/** The history whose markers are the ends of the windows that they were told in. */
function ownMarkers(history: History, window: number): History {
  const slack = anySlack(history);
  return withEvents(history, (event) => {
    const { reset, from, to } = event;
    if (reset === null || reset + slack.high - from <= window) return event;
    return { ...event, reset: reset + slack.low - to > window ? reset - window : null };
  });
}
