import type { Event, History } from '../../oracle/history.ts';
import type { Exchange } from '../../trace/exchange.ts';

/** From one answer at rest to the next of the same window: nothing else of the budget was under way at either end. */
export interface Stretch {
  readonly earlier: Event;
  readonly later: Event;
  /** At most so many of the budget's own requests were counted in between. */
  readonly own: number;
  /** What was taken off beyond these. */
  readonly missing: number;
}

/** µs: no longer stretch is certain to lie in one window. */
const LONGEST = 55_000_000;

/** The stretches of a history in which the budget shrinks: what comes after a refusal, or a new window, begins anew. */
export function stretchesOf({ events }: History): readonly Stretch[] {
  const answered = events.filter(({ exchange }) => exchange.answered !== null);
  const lost = events.filter(({ exchange }) => exchange.answered === null);
  const found: Stretch[] = [];
  let earlier: Event | null = null;
  let own = 0;
  let latest = Number.NEGATIVE_INFINITY;
  for (const [index, event] of answered.entries()) {
    const next = answered[index + 1];
    const atRest = event.from > latest && event.to < (next?.from ?? Number.POSITIVE_INFINITY);
    latest = Math.max(latest, event.to);
    const tells = event.outcome === 'refused' || (event.outcome === 'accepted' && event.remaining !== null);
    if (!atRest || !tells) {
      if (event.outcome !== 'refused') own += 1;
      continue;
    }
    const stretch = earlier && between(earlier, event, own + perhapsCounted(lost, earlier, event));
    if (stretch) found.push(stretch);
    earlier = event.outcome === 'accepted' ? event : null;
    own = 0;
  }
  return found;
}

function perhapsCounted(lost: readonly Event[], earlier: Event, later: Event): number {
  return lost.filter(({ from, to }) => from <= later.to && to >= earlier.from).length;
}

function between(earlier: Event, later: Event, own: number): Stretch | null {
  const had = earlier.remaining ?? 0;
  const length = later.from - earlier.to;
  const moved = earlier.reset !== null && later.reset !== null ? later.reset - earlier.reset : 0;
  if (length > LONGEST || moved > length + 2_000_000) return null;
  const left = later.outcome === 'refused' ? 0 : (later.remaining ?? 0) + 1;
  return left > had ? null : { earlier, later, own, missing: Math.max(0, had - left - own) };
}

/** The suspects that came and went between two answers at rest. */
export function inside({ earlier, later }: Stretch, suspects: readonly Exchange[]): readonly Exchange[] {
  return suspects.filter(({ sent, answered }) => answered !== null && sent > earlier.to && answered < later.from);
}

/** Whether as many suspects were about between two answers at rest as are missing there, and no more were there all the while. */
export function isMadeUp(stretch: Stretch, suspects: readonly Exchange[]): boolean {
  const { earlier, later, missing } = stretch;
  const about = suspects.filter(({ sent, answered }) => sent <= later.to && (answered ?? sent) >= earlier.from);
  return inside(stretch, about).length <= missing && missing <= about.length;
}
