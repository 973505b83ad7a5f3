import { type History, WINDOW } from '../history.ts';
import { momentsOf } from './moments.ts';

/** This many successive answers at a regular interval show a queue. */
const FEWEST_BEATS = 10;

/**
 * The error that an answer's interval may have, as a share of the interval, and the share of answers that must be
 * regular.
 */
const OFF_BEAT = 0.1;
const ON_BEAT = 0.8;

/**
 * A leaky bucket as a queue: waiting requests are answered one by one, at the rate of the limit. A slow server may be
 * regular, too, but hardly ever at this rate.
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
