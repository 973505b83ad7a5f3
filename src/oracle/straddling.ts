import { below, type Counts, countedAs } from './counts.ts';
import type { Range } from './history.ts';
import type { ModelInput, Span } from './model.ts';

/** Fewer requests than these about a boundary change no count by much, and are not told apart. */
const FEWEST = 4;

/**
 * The buckets with their common boundaries, and at each the requests that may have been decided on either side of it.
 * However many came after it, the number is one and the same for all answers from then on: so it is worth a search.
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

/** How many requests were certainly counted, and perhaps about a boundary in `[low, high]`. */
function about(counts: Counts, low: number, high: number): number {
  return Math.max(0, below(counts.certainFrom, high) - below(counts.certainTo, low));
}

/** The buckets with so many requests after each boundary that bursts straddle. */
export function partOf(buckets: readonly Span[], after: readonly Range[]): readonly Span[] {
  let next = 0;
  return buckets.map((span) => {
    const range = span.straddling && after[next++];
    return span.straddling && range ? { ...span, straddling: { ...span.straddling, after: range } } : span;
  });
}
