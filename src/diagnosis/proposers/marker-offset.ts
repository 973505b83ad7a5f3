import type { History, Range } from '../../oracle/history.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { markedLater, type World } from '../world.ts';
import { bitsOfLength, roundest } from './round.ts';

/** Markers that all lie the same time before or after the ends of windows. They are read with this time subtracted. */
export function* proposeMarkerOffsets(world: World, { kind }: SearchContext): Iterable<Proposal> {
  if (!world.layers.reset) return;
  const range = offsetOf(world.histories, world.window);
  if (range === null) return;
  const offset = roundest(range);
  yield {
    deviations: [{ operator: 'marker-header', parameters: { kinds: [kind], change: { offset }, only: 'all' } }],
    bits: DEVIATION_BITS + bitsOfLength(offset),
    world: markedLater(world, -offset),
  };
}

/**
 * How long after the ends of windows the markers lie (µs): each window ends after its requests were decided, and at
 * most a window after them. Null if this may be zero, if it is not the same for all, or if the offset of the clocks is
 * unknown.
 */
function offsetOf(histories: readonly History[], window: number): Range | null {
  let low = Number.NEGATIVE_INFINITY;
  let high = Number.POSITIVE_INFINITY;
  for (const { events, offset, unit } of histories) {
    if (!Number.isFinite(offset.low) || !Number.isFinite(offset.high)) return null;
    for (const { outcome, reset, from, to } of events) {
      if (reset === null || (outcome !== 'accepted' && outcome !== 'refused')) continue;
      low = Math.max(low, reset - (unit ?? 0) - to - window - offset.high);
      high = Math.min(high, reset + (unit ?? 0) - from - offset.low);
    }
  }
  return low > high || (low <= 0 && high >= 0) || !Number.isFinite(low) ? null : { low, high };
}
