import { countedAs } from '../../oracle/census.ts';
import { ALL_LAYERS, check } from '../../oracle/check.ts';
import type { Explanation } from '../../oracle/explain.ts';
import { type Event, type History, WINDOW } from '../../oracle/history.ts';
import { DRIFT } from '../../oracle/model.ts';
import { describe, proof } from './proofs.ts';
import type { Ruling } from './ruling.ts';
import { disturbed, type Examined, judged, nameOf } from './thresholds.ts';

/** Clocks that tick in whole seconds, in µs. */
const TICK = 1_000_000;

/** An event whose marker can be judged. */
interface Marked {
  readonly event: Event;
  readonly reset: number;
}

/** Answers of the limiter: a failed request may not have been counted, and then carries a notional marker. */
function marked(history: History): readonly Marked[] {
  return history.events.flatMap((event) =>
    event.reset !== null && (event.outcome === 'accepted' || event.outcome === 'refused')
      ? [{ event, reset: event.reset }]
      : [],
  );
}

const UNREADABLE: Omit<Ruling, 'part'> = {
  verdict: 'not tested',
  summary: 'No answer carries a usable X-RateLimit-Reset.',
  witnesses: 0,
  remedy: 'Correct HDR-1, HDR-2 and HDR-6 first.',
};

/** HDR-7: the marker is of the reset of the window. */
export function ruleOnMarker(examined: Examined): Ruling {
  const findings = judged(examined);
  const { history, best } = findings;
  const part = nameOf(examined);
  const list = marked(history);
  const witnesses = list.length;
  const unit = history.unit ?? 0;
  if (witnesses === 0) return { ...UNREADABLE, part };
  const { low, high } = history.offset;
  for (const { event, reset } of list) {
    const past = reset + unit + TICK < event.from + low;
    const far = reset - unit - TICK > event.to + WINDOW * (1 + DRIFT) + high;
    if (!past && !far) continue;
    const distance = Math.abs(past ? event.from + low - reset : reset - event.to - high) / 1e6;
    const summary = past
      ? `The marker lay ${distance.toFixed(1)} s in the past when it was sent.`
      : `The marker lies ${distance.toFixed(1)} s in the future, and a window is 60 s.`;
    const argument = [
      describe(event.exchange),
      `Its X-RateLimit-Reset is ${event.exchange.headers.reset[0]}, and its Date is ${event.exchange.headers.date[0] ?? 'absent'}.`,
      summary,
    ];
    const expected = 'The marker does not lie in the past when sent, nor more than one window in the future.';
    return {
      verdict: 'fail',
      part,
      summary,
      witnesses,
      proofs: [proof(expected, summary, [event.exchange], argument)],
    };
  }
  if (examined.disturbed) return disturbed(examined);
  if (findings.whole.length > 0 || examined.otherWindow || examined.otherLimit) {
    const notes = Number.isFinite(low)
      ? []
      : ["There is no Date header, so that the server's clock is unknown: only the distances of markers were judged."];
    return { verdict: 'pass', part, summary: 'Each marker is the reset of its window.', witnesses, notes };
  }
  if (!findings.decisions) {
    const summary = 'The decisions follow no window, so that its reset cannot be told.';
    return { verdict: 'inconclusive', part, summary, witnesses, remedy: 'Correct the window and the limit first.' };
  }
  if (examined.miscounted) {
    const summary = 'Requests are counted in no window (see the limits), so that its reset cannot be told.';
    return { verdict: 'inconclusive', part, summary, witnesses, remedy: 'Correct the limits first.' };
  }
  const late = findings.remaining ? passedUnnoticed(history, best) : null;
  if (late) {
    const [one, other] = late;
    const summary = 'The time that a marker named had passed, and the budget was not back.';
    const argument = [
      describe(one.event.exchange),
      `Its X-RateLimit-Reset is ${one.event.exchange.headers.reset[0]}, which is ${(one.reset / 1e6).toFixed(3)} s on the run's clock, give or take the offset of the clocks.`,
      describe(other.exchange),
      `#${other.exchange.seq} was sent after that and still draws on the same window.`,
    ];
    const expected = 'The budget is back once the marker has passed.';
    const made = proof(expected, summary, [one.event.exchange, other.exchange], argument);
    return { verdict: 'fail', part, summary, witnesses, proofs: [made] };
  }
  if (findings.reset || !findings.remaining || moving(examined)) {
    return { verdict: 'pass', part, summary: 'No marker passed before the budget was back.', witnesses };
  }
  const wrong = refutedBy(examined, 'reset');
  if (!wrong) return { verdict: 'pass', part, summary: 'No marker passed before the budget was back.', witnesses };
  const summary = 'The marker is not the reset of the window in which the request was counted.';
  const argument = [
    describe(wrong.exchange),
    `Its X-RateLimit-Reset is ${wrong.exchange.headers.reset[0]}: no window that explains the answers ends then.`,
  ];
  const expected = 'The marker is of the reset of the window.';
  return { verdict: 'fail', part, summary, witnesses, proofs: [proof(expected, summary, [wrong.exchange], argument)] };
}

/** µs of the run's clock by which the time that a marker names had passed for certain; infinite where no Date tells it. */
function passedBy({ reset }: Marked, { unit, offset }: History): number {
  return Number.isFinite(offset.low) ? reset + (unit ?? 0) + 2 * TICK - offset.low : Number.POSITIVE_INFINITY;
}

/** A marker that passed while a later request was certainly counted in the same window. */
function passedUnnoticed(history: History, best: Explanation): readonly [Marked, Event] | null {
  const { counting } = best.variant;
  if (!Number.isFinite(history.offset.high)) return null;
  for (const one of marked(history)) {
    const passed = passedBy(one, history);
    const places = best.model.alternatives(one.event);
    const [place] = places;
    if (places.length !== 1 || !place) continue;
    const other = history.events.find((event) => {
      if (event.from < passed || event.from > place.resetLow) return false;
      const there = best.model.alternatives(event);
      return event.outcome === 'refused' || (countedAs(event, counting) === 'certain' && (there[0]?.low ?? 0) > 0);
    });
    if (other) return [one, other];
  }
  return null;
}

function refutedBy({ findings, cause }: Examined, kind: 'reset' | 'marker moves'): Event | null {
  const { refuted } = cause?.findings[0] ?? findings;
  const found = refuted
    .flatMap(({ contradictions }) => contradictions)
    .filter((contradiction) => contradiction.kind === kind)
    .map(({ event }) => event);
  return found.reduce((one, other) => ((other?.from ?? 0) > (one?.from ?? 0) ? other : one), null);
}

/** HDR-8: within a fixed window the marker stands still; in a sliding one it never goes back. */
export function ruleOnMovement(examined: Examined): Ruling {
  const { history } = judged(examined);
  const part = nameOf(examined);
  const list = marked(history);
  const witnesses = list.length;
  if (witnesses === 0) return { ...UNREADABLE, part };
  const pair =
    goesBack(list, history) ??
    (examined.disturbed || examined.miscounted ? null : (moving(examined) ?? mislabelled(list, examined)));
  if (pair) {
    const [one, other] = pair;
    const back = other.reset < one.reset;
    const by = Math.abs(other.reset - one.reset) / 1e6;
    const summary =
      by === 0
        ? 'A marker belongs to another window than the count beside it.'
        : back
          ? `The marker went back by ${by.toFixed(3)} s.`
          : `The marker moved by ${by.toFixed(3)} s within one window.`;
    const argument = [
      describe(one.event.exchange),
      describe(other.event.exchange),
      `Their markers are ${one.event.exchange.headers.reset[0]} and ${other.event.exchange.headers.reset[0]}.`,
      by === 0
        ? 'The later has as much left or more, so that their counts lie in two windows; their markers are the same.'
        : back
          ? 'No window lets its marker go back.'
          : 'Both were counted in the same fixed window, whose end does not move.',
    ];
    const expected =
      'Within one window of a fixed-window mechanism the marker does not move; with a sliding one it never goes back.';
    const made = proof(expected, summary, [one.event.exchange, other.event.exchange], argument);
    return { verdict: 'fail', part, summary, witnesses, proofs: [made] };
  }
  if (examined.disturbed) return disturbed(examined);
  return {
    verdict: 'pass',
    part,
    summary: 'The marker moves only from one window to the next, or slides forward.',
    witnesses,
  };
}

/** Two answers, one after the other, of which the later has the earlier marker by more than rounding and round trip. */
function goesBack(list: readonly Marked[], { unit }: History): readonly [Marked, Marked] | null {
  let latest: Marked | null = null;
  const ended = [...list].sort((one, other) => one.event.to - other.event.to);
  let index = 0;
  for (const other of list) {
    for (; (ended[index]?.event.to ?? Number.POSITIVE_INFINITY) < other.event.from; index++) {
      const one = ended[index];
      const floor = (each: Marked) => each.reset - (each.event.to - each.event.from);
      if (one && (!latest || floor(one) > floor(latest))) latest = one;
    }
    if (!latest) continue;
    const roundTrip = latest.event.to - latest.event.from;
    const slack = (unit ?? 0) + roundTrip + DRIFT * Math.max(0, other.event.to - latest.event.from) + 5_000;
    if (other.reset + slack < latest.reset) return [latest, other];
  }
  return null;
}

/**
 * Two answers with one marker, one after the other, of which the later has far more left: their counts lie in two windows,
 * and their markers in one. Only where fixed windows explain the decisions and Remaining, so that the counts are right.
 */
function mislabelled(list: readonly Marked[], examined: Examined): readonly [Marked, Marked] | null {
  const { whole, remaining, history, best } = judged(examined);
  const fixed = best.variant.mechanism === 'grid' || best.variant.mechanism === 'anchored';
  if (whole.length > 0 || !remaining || !fixed || examined.otherLimit) return null;
  const lowest = new Map<number, { readonly marked: Marked; readonly left: number }>();
  for (const other of [...list].sort((one, next) => one.event.to - next.event.to)) {
    const { event } = other;
    const value = event.outcome === 'refused' ? 0 : event.remaining;
    if (value === null) continue;
    const one = lowest.get(other.reset);
    if (one && one.marked.event.to < event.from && value - one.left > history.limit / 2) return [one.marked, other];
    if (!one || value < one.left) lowest.set(other.reset, { marked: other, left: value });
  }
  return null;
}

/** Two markers of one fixed window that differ by more than rounding and round trip, where nothing slides. */
function moving(examined: Examined): readonly [Marked, Marked] | null {
  const findings = judged(examined);
  const { history, best } = findings;
  const fixed = best.variant.mechanism === 'grid' || best.variant.mechanism === 'anchored';
  if (!fixed || findings.whole.length > 0 || !findings.remaining) return null;
  const free = { ...history, offset: { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY } };
  const { contradiction } = check(best.model, free, best.variant.counting, ALL_LAYERS, best.variant.lag);
  const event = contradiction?.event;
  if (!event || event.reset === null) return null;
  const window = windowOf(best, event);
  if (window === null) return null;
  const list = marked(history).filter((each) => windowOf(best, each.event) === window);
  const by = (one: Marked, other: Marked) => (other.reset < one.reset ? other : one);
  const [first] = list;
  if (!first) return null;
  const least = list.reduce(by, first);
  // What was sent after the time of a marker lies in the next window by the clock: then it is the count that is late.
  const passed = passedBy(least, history);
  const most = list
    .filter(({ event: { from } }) => from <= passed)
    .reduce((one, other) => (by(one, other) === one ? other : one), least);
  const tolerated = (history.unit ?? 0) + (most.event.to - most.event.from) + 5_000;
  if (most.reset - least.reset <= tolerated) return null;
  return least.event.from < most.event.from ? [least, most] : [most, least];
}

function windowOf(best: Explanation, event: Event): number | null {
  const places = best.model.alternatives(event);
  return places.length === 1 ? (places[0]?.window ?? null) : null;
}
