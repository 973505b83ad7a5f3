import { type History, WINDOW } from '../history.ts';
import { momentsOf } from './moments.ts';

/** So many answers in a row that kept the beat show a queue. */
const FEWEST_BEATS = 10;

/** Share of the beat by which an answer may be off it, and share of the answers that have to keep it. */
const OFF_BEAT = 0.1;
const ON_BEAT = 0.8;

/**
 * A leaky bucket as a queue: requests that wait are answered one by one, a limit in each minute. A server that is slow has a beat
 * of its own, which is hardly ever that one.
 */
export function isQueue(histories: readonly History[]): boolean {
  let kept = 0;
  let missed = 0;
  for (const history of histories) {
    const beat = WINDOW / history.limit;
    const answered = momentsOf(history)
      .filter(({ fate }) => fate === 'accepted')
      .sort((one, other) => one.to - other.to);
    for (const [index, later] of answered.entries()) {
      const earlier = answered[index - 1];
      if (!earlier || later.from > earlier.to - beat / 2) continue;
      if (Math.abs(later.to - earlier.to - beat) <= OFF_BEAT * beat) kept++;
      else missed++;
    }
  }
  return kept >= FEWEST_BEATS && kept >= ON_BEAT * (kept + missed);
}
