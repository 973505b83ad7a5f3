import type { History, Range } from '../../oracle/history.ts';
import { isDecided } from '../world.ts';
import { ACCEPTED, windowsOf } from './moved.ts';

/**
 * How long windows last that begin with their first request, by when each turned into the next (µs): whatever markers
 * say. Null if no window turned, or no one length fits all turns.
 */
export function lengthOfTurns(histories: readonly History[]): Range | null {
  let low = 0;
  let high = Number.POSITIVE_INFINITY;
  for (const history of histories) {
    const parts = windowsOf(history, ACCEPTED).map(({ events }) => events.filter(isDecided));
    for (const [at, next] of parts.slice(1).entries()) {
      const [first, last, opener] = [parts[at]?.[0], parts[at]?.at(-1), next[0]];
      if (!first || !last || !opener) continue;
      low = Math.max(low, last.from - first.to);
      high = Math.min(high, opener.to - first.from);
    }
  }
  return low < high && Number.isFinite(high) ? { low, high } : null;
}
