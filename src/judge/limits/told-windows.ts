import type { BudgetWindow } from '../../oracle/analysis.ts';
import { type Event, type History, WINDOW } from '../../oracle/history.ts';

/** Markers closer to each other than this are no ends of fixed windows of a minute, in µs. */
const APART = 0.9 * WINDOW;
/** How far a request may lie outside the window that its marker tells, in µs: clocks that tick in whole seconds, and rounding. */
const ASTRAY = 2_500_000;

/**
 * The windows that the answers themselves tell: those that give one marker were counted together. For what no mechanism
 * explains. Null where the markers are not a minute apart, or the requests not in the minute before their marker, so
 * that they tell no fixed windows.
 */
export function toldWindows({ events, limit, offset }: History): readonly BudgetWindow[] | null {
  const answered = events.filter(({ outcome }) => outcome === 'accepted' || outcome === 'refused');
  if (answered.length === 0 || answered.some(({ outcome, reset }) => outcome === 'accepted' && reset === null))
    return null;
  const ahead = Number.isFinite(offset.low + offset.high) ? (offset.low + offset.high) / 2 : 0;
  const groups = Map.groupBy(answered, ({ reset }) => reset);
  const windows: BudgetWindow[] = [];
  let before = Number.NEGATIVE_INFINITY;
  for (const [reset, own] of [...groups].sort(([one], [other]) => (one ?? 0) - (other ?? 0))) {
    // A refusal without a marker belongs to no window for certain.
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
