import type { BudgetWindow } from '../../oracle/analysis.ts';
import { type Event, type History, likelyOffset, WINDOW } from '../../oracle/history.ts';

/** Markers closer to each other than this are not ends of fixed one-minute windows, in µs. */
const APART = 0.9 * WINDOW;
/** How far a request may lie outside the window of its marker, in µs: clocks of whole seconds, and rounding. */
const ASTRAY = 2_500_000;

/**
 * The windows that the answers state: requests with the same marker were counted together. Used if no mechanism
 * explains the budget. Null if the markers are not a minute apart, or the requests do not lie in the minute before
 * their marker: then they state no fixed windows.
 */
export function toldWindows({ events, limit, offset }: History): readonly BudgetWindow[] | null {
  const answered = events.filter(({ outcome }) => outcome === 'accepted' || outcome === 'refused');
  if (answered.length === 0 || answered.some(({ outcome, reset }) => outcome === 'accepted' && reset === null))
    return null;
  const ahead = likelyOffset(offset);
  const groups = Map.groupBy(answered, ({ reset }) => reset);
  const windows: BudgetWindow[] = [];
  let before = Number.NEGATIVE_INFINITY;
  for (const [reset, own] of [...groups].sort(([one], [other]) => (one ?? 0) - (other ?? 0))) {
    // A refusal without a marker cannot be assigned to a window.
    if (reset === null) continue;
    const end = reset - ahead;
    if (end - before < APART || own.some((event) => isAstray(event, end))) return null;
    before = end;
    const accepted = own.filter(({ outcome }) => outcome === 'accepted').length;
    const refused = own.length - accepted;
    windows.push({
      start: { low: end - WINDOW, high: end - WINDOW },
      end: { low: end, high: end },
      accepted,
      refused,
      overshoot: Math.max(0, accepted - limit),
      undershoot: Math.min(refused, Math.max(0, limit - accepted)),
      marker: own[0]?.exchange.headers.reset[0] ?? null,
    });
  }
  return windows;
}

function isAstray({ from, to }: Event, end: number): boolean {
  return to < end - WINDOW - ASTRAY || from > end + ASTRAY;
}
