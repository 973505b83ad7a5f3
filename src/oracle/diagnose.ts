import type { Kind } from '../trace/exchange.ts';
import { isBucket } from './diagnose/bucket.ts';
import { nameExpiry } from './diagnose/expiry.ts';
import { isQueue } from './diagnose/queue.ts';
import { nameRace } from './diagnose/race.ts';
import { countersOf } from './diagnose/unshared.ts';
import type { History } from './history.ts';

/** What has no window: what was taken from it comes back bit by bit. */
export const BUCKET = 'token bucket, GCRA or leaky bucket';

/**
 * Names what the histories of one deployment's budgets look like, some of which no admissible mechanism explains: what their reads,
 * and what their writes. Each name is that of a mechanism that was held against all of them, gives all of their answers, and shows
 * in some. Null where none does, or more than one. For reports; the one verdict that
 * asks for it is LIMIT-WINDOW, of what no window explains and a bucket does.
 */
export function diagnose(histories: readonly History[]): Readonly<Record<Kind, string | null>> {
  const of = (kind: Kind) => histories.filter((each) => each.kind === kind);
  const expiry = histories.length > 0 ? nameExpiry(histories) : null;
  const nameOf = (own: readonly History[]): string | null => {
    if (own.length === 0) return null;
    const names = [
      isQueue(own) ? 'leaky bucket' : null,
      isBucket(own) ? BUCKET : null,
      nameCounters(own),
      nameRace(
        own,
        histories.filter((each) => !own.includes(each)),
      ),
      expiry,
    ].filter((name) => name !== null);
    return names.length === 1 ? (names[0] ?? null) : null;
  };
  return { read: nameOf(of('read')), write: nameOf(of('write')) };
}

function nameCounters(histories: readonly History[]): string | null {
  const most = Math.max(...histories.map((history) => countersOf(history) ?? 0));
  return most > 1 ? `${most} unshared counters` : null;
}
