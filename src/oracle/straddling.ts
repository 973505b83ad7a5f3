import { below } from './ascending.ts';
import { countedAs } from './counting.ts';
import type { Counts } from './counts.ts';
import type { Range } from './history.ts';
import type { ModelInput, Span } from './model.ts';

/** Fewer requests than this around a boundary hardly change a count, and are not searched. */
const FEWEST = 4;

/**
 * The buckets with common boundaries, each with the requests that may have been decided on either side of it. The
 * number that came after it is the same for all later answers, so it is worth a search.
 */
export function withStraddling(buckets: readonly Span[], input: ModelInput): readonly Span[] {
  return buckets.map((span, index) => {
    const before = buckets[index - 1];
    if (!before || Math.abs(before.endLow - span.startLow) > input.window / 2) return span;
    const low = Math.max(before.endLow, span.startLow);
    const high = Math.min(before.endHigh, span.startHigh);
    const size = low < high ? about(input.counts, low, high) : 0;
    if (size < FEWEST) return span;
    let settled = high;
    for (const event of input.events) {
      if (event.from >= high || event.to <= settled || countedAs(event, input.counting) !== 'certain') continue;
      settled = event.to;
    }
    return { ...span, straddling: { size, after: { low: 0, high: size }, settled } };
  });
}

/** How many requests were certainly counted around a boundary in `[low, high]`, and how many perhaps. */
function about(counts: Counts, low: number, high: number): number {
  return Math.max(0, below(counts.certainFrom, high) - below(counts.certainTo, low));
}

/** The buckets with these numbers of requests after each boundary that bursts straddle. */
export function partOf(buckets: readonly Span[], after: readonly Range[]): readonly Span[] {
  let next = 0;
  return buckets.map((span) => {
    const range = span.straddling && after[next++];
    return span.straddling && range ? { ...span, straddling: { ...span.straddling, after: range } } : span;
  });
}
