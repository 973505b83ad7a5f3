import { type Condensed, condensedCount } from '../trace/condensed.ts';
import type { Exchange, Failure } from '../trace/exchange.ts';
import { remembering } from '../trace/remembering.ts';
import type { Conditions } from './judgement.ts';
import { isDelivery } from './limits/deliveries.ts';
import { isAnswered, type View } from './view.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const DATE = /^[A-Z][a-z]{2}, (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/;

/** Under what circumstances the target was seen: for reports, and to judge how much a verdict can be trusted. */
export function conditionsOf(view: View): Conditions {
  const { trace, exchanges } = view;
  const { condensed } = trace;
  const failures: Partial<Record<Failure, number>> = {};
  const statuses = new Map<number, number>();
  const connections = new Set(condensed?.connections);
  const first = Math.min(exchanges[0]?.sent ?? 0, condensed?.times.first ?? Number.POSITIVE_INFINITY);
  let answered = 0;
  let together = 0;
  let last = Math.max(first, condensed?.times.answered ?? first);
  for (const each of exchanges) {
    if (each.failure !== null) {
      failures[each.failure] = (failures[each.failure] ?? 0) + 1;
      if (isDelivery(each)) together += 1;
    }
    if (each.status !== null) {
      answered += 1;
      statuses.set(each.status, (statuses.get(each.status) ?? 0) + 1);
    }
    connections.add(each.connection);
    last = Math.max(last, each.answered ?? each.sent);
  }
  for (const [status, outcome] of [[200, 'accepted'] as const, [429, 'refused'] as const]) {
    const more = condensedCount(condensed, [outcome]);
    if (more > 0) statuses.set(status, (statuses.get(status) ?? 0) + more);
  }
  return {
    requests: exchanges.length + condensedCount(condensed),
    answered: answered + condensedCount(condensed),
    failures,
    ...(together > 0 && { together }),
    unanswered: trace.unanswered.length,
    statuses: [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => ({ status, count })),
    connections: connections.size,
    duration: last - first,
    skew: condensed ? within(condensed.dates, trace.header.epoch) : skewOf(exchanges, trace.header.epoch),
    clockSteps: trace.notes.filter((each) => each.code === 'clock-step').length,
  };
}

/**
 * The target's clock less the run's, in µs: a `Date` of D was written between `sent` and `answered`, and is cut to
 * whole seconds, so the difference lies in [D − answered, D + 1 s − sent]; all answers together give the intersection.
 * Null where it is empty (a cached Date, several clocks) or no answer has one.
 *
 * @param epoch the wall clock in µs when the run's clock was 0
 */
function skewOf(exchanges: readonly Exchange[], epoch: number): Conditions['skew'] {
  let low = Number.NEGATIVE_INFINITY;
  let high = Number.POSITIVE_INFINITY;
  const read = remembering(parseHttpDate);
  for (const each of exchanges) {
    if (!isAnswered(each)) continue;
    const date = read(each.headers.date);
    if (date === null) continue;
    low = Math.max(low, date - (epoch + each.answered));
    high = Math.min(high, date + 1_000_000 - (epoch + each.sent));
  }
  return Number.isFinite(low) && low <= high ? { low, high } : null;
}

/** The same, from the sums over all answers of a run that was condensed. */
function within({ answered, sent }: Condensed['dates'], epoch: number): Conditions['skew'] {
  const [low, high] = [answered - epoch, sent + 1_000_000 - epoch];
  return Number.isFinite(low) && low <= high ? { low, high } : null;
}

/**
 * µs since the Unix epoch of a `Date` header (IMF-fixdate, RFC 9110 §5.6.7); null where it is absent, repeated or
 * malformed.
 */
export function parseHttpDate(lines: readonly string[]): number | null {
  const [line] = lines;
  const parts = lines.length === 1 && line !== undefined ? DATE.exec(line.trim()) : null;
  if (!parts) return null;
  const [, day, month, year, hour, minute, second] = parts;
  const index = MONTHS.indexOf(month ?? '');
  if (index < 0) return null;
  return Date.UTC(Number(year), index, Number(day), Number(hour), Number(minute), Number(second)) * 1000;
}
