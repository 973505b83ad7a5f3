import { findBackward, markedIn } from '../../oracle/backward.ts';
import { findUnspentRefusal } from '../../oracle/capacity.ts';
import { type History, WINDOW } from '../../oracle/history.ts';
import { statedRemaining } from '../../oracle/make-history.ts';
import { DRIFT } from '../../oracle/model.ts';
import { singleInteger } from '../../oracle/single-integer.ts';
import type { Exchange } from '../../trace/exchange.ts';
import type { Proof } from '../verdict.ts';
import { describe, proof } from './proofs.ts';

/** The tick of clocks that count whole seconds, in µs. */
export const TICK = 1_000_000;

/** The proof that a marker is misplaced, with its usual cause and the remedy. */
interface Misplaced {
  readonly proof: Proof;
  readonly remedy: string;
}

/** HDR-4: a Remaining that is impossible under the limit that is stated or that the same answer states. */
export function impossibleRemaining({ events, limit }: History): Proof | null {
  const wrong = events.find(({ remaining, outcome, exchange }) => {
    if (remaining === null) return false;
    if (isBelowZero(exchange)) return true;
    return outcome !== 'refused' && remaining > limit && remaining > (singleInteger(exchange.headers.limit) ?? limit);
  });
  if (!wrong) return null;
  const remaining = singleInteger(wrong.exchange.headers.remaining);
  const received = `X-RateLimit-Remaining is ${remaining}, with a limit of ${limit}.`;
  const argument = [
    describe(wrong.exchange),
    `X-RateLimit-Remaining of #${wrong.exchange.seq} is ${remaining}, and it is never ${Number(remaining) < 0 ? 'negative' : `above the limit of ${limit}`}.`,
  ];
  return proof(
    'X-RateLimit-Remaining is the number of requests left: from 0 to the limit.',
    received,
    [wrong.exchange],
    argument,
  );
}

function isBelowZero(exchange: Exchange): boolean {
  return (statedRemaining(exchange) ?? 0) < 0;
}

/** HDR-5: a 429 whose Remaining is not 0 although nothing had come back, or is negative. */
export function unspentRefusal(history: History): Proof | null {
  const below = history.events.find(({ outcome, exchange }) => outcome === 'refused' && isBelowZero(exchange));
  if (below) {
    const received = `A 429 has X-RateLimit-Remaining: ${singleInteger(below.exchange.headers.remaining)}.`;
    return proof('X-RateLimit-Remaining is 0 on a 429.', received, [below.exchange], [describe(below.exchange)]);
  }
  // If others may have used the key, their requests explain any difference between two answers.
  const found = history.shared ? null : findUnspentRefusal(history);
  if (!found) return null;
  const { earlier, later, between } = found;
  const [first, second, left] = [earlier.exchange, later.exchange, earlier.remaining ?? 0];
  const argument = [
    describe(first),
    `#${second.seq} was sent after that, and at most ${between} other requests can have been accepted between.`,
    describe(second),
    `If ${left} could still be sent at #${first.seq}, as its answer says, at least ${left - between} could at #${second.seq}. But #${second.seq} was refused too.`,
  ];
  const expected = 'X-RateLimit-Remaining is 0 on a 429, unless it was read when the budget had come back.';
  const received = `A 429 has X-RateLimit-Remaining: ${earlier.remaining}.`;
  return proof(expected, received, [first, second], argument);
}

/** Whether so many seconds lie between two time zones, to within one window: these are half hours apart, with few quarters. */
function isOfZone(distance: number): boolean {
  const nearest = Math.round(distance / 1800) * 1800;
  return nearest >= 3600 && Math.abs(distance - nearest) <= 61;
}

/**
 * The usual cause of a marker that lies so many seconds in the past or the future, and the remedy.
 *
 * @param disputed whether later answers have earlier markers, which no window gives, however long it is
 */
export function whyMisplaced(past: boolean, distance: number, disputed = false): string {
  const own = 'Take X-RateLimit-Reset from the window itself: its start plus one minute.';
  if (isOfZone(distance)) return `Usually X-RateLimit-Reset is in local time instead of UTC. ${own}`;
  if (disputed)
    return `Usually the clock of one of several nodes is wrong, so that only its answers are wrong. Keep the clocks of all nodes in step. ${own}`;
  if (distance > 600) return `Usually seconds are added to milliseconds, or a clock is off. ${own}`;
  return past
    ? `Usually X-RateLimit-Reset belongs to a window that has ended, or is the start of the window instead of its end. ${own}`
    : `Usually windows are longer than a minute, or X-RateLimit-Reset is the end of a later window. Let each window last a minute, and let X-RateLimit-Reset be its own end.`;
}

/**
 * HDR-7: a marker that lies in the past when it is sent, or more than a window in the future, by the target's own
 * `Date`.
 */
export function misplacedMarker(history: History): Misplaced | null {
  const { low, high } = history.offset;
  const unit = history.unit ?? 0;
  for (const { event, reset } of markedIn(history.events)) {
    // What explains the run may count a request at another time. Its marker must be right when it is sent.
    const { sent, answered } = event.exchange;
    const to = answered ?? event.to;
    const past = reset + unit + TICK < sent + low;
    const far = reset - unit - TICK > to + WINDOW * (1 + DRIFT) + high;
    if (!past && !far) continue;
    const distance = Math.abs(past ? sent + low - reset : reset - to - high) / 1e6;
    const where = past
      ? `lay at least ${distance.toFixed(1)} s in the past when it was sent`
      : `lies at least ${distance.toFixed(1)} s in the future, and a window is 60 s`;
    const received = `X-RateLimit-Reset ${where}.`;
    const { seq, headers } = event.exchange;
    const argument = [
      describe(event.exchange),
      `X-RateLimit-Reset of #${seq} is ${headers.reset[0]}, and its Date is ${headers.date[0] ?? 'absent'}: X-RateLimit-Reset ${where}.`,
    ];
    const expected = 'X-RateLimit-Reset does not lie in the past when sent, nor more than one window in the future.';
    return {
      proof: proof(expected, received, [event.exchange], argument),
      remedy: whyMisplaced(past, distance, !past && findBackward(history) !== null),
    };
  }
  return null;
}

/** HDR-8: two successive answers whose marker goes back by more than rounding and round trip explain. */
export function backwardMarker(history: History): Proof | null {
  const found = findBackward(history);
  if (!found) return null;
  const { earlier, later } = found;
  const received = `X-RateLimit-Reset went back by ${((earlier.reset - later.reset) / 1e6).toFixed(3)} s.`;
  const argument = [
    describe(earlier.event.exchange),
    describe(later.event.exchange),
    `X-RateLimit-Reset of #${earlier.event.exchange.seq} is ${earlier.event.exchange.headers.reset[0]}, and that of #${later.event.exchange.seq} is ${later.event.exchange.headers.reset[0]}: the end of a window never goes back.`,
  ];
  const expected =
    'Within one window of a fixed-window mechanism X-RateLimit-Reset does not move; with a sliding one it never goes back.';
  return proof(expected, received, [earlier.event.exchange, later.event.exchange], argument);
}
