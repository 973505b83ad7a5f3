import { classOf } from '../../deployment/attribute.ts';
import { type Deviation, sentence } from '../../deployment/operators.ts';
import type { KindDiagnosis } from '../../diagnosis/diagnose.ts';
import { byMarker } from '../../diagnosis/world.ts';
import { findDeficits, findEarlyRefusal } from '../../oracle/capacity.ts';
import { type Event, type History, WINDOW } from '../../oracle/history.ts';
import type { Proof } from '../verdict.ts';
import { describe, evidenceOf, proof } from './proofs.ts';
import { refutation } from './refutation.ts';

/**
 * The proof that a deployment deviates: first the fewest requests that show the deviation itself, then what refutes each mechanism that
 * conforms.
 */
export function deviationProof(expected: string, deviation: Deviation, diagnosis: KindDiagnosis): Proof {
  const shown = showing(deviation, diagnosis.world.histories);
  const against = refutation(diagnosis);
  const argument = [...(shown?.argument ?? []), ...against.argument];
  return proof(
    expected,
    sentence(deviation),
    evidenceOf([...(shown?.events ?? []).map(({ exchange }) => exchange), ...against.evidence]),
    argument,
  );
}

/** Requests that show something, and the sentences that say what. */
export interface Shown {
  readonly events: readonly Event[];
  readonly argument: readonly string[];
}

/** The fewest requests that show what is wrong: two answers that are at odds, or a window that took in too many. */
export function showing(deviation: Deviation | null, histories: readonly History[]): Shown | null {
  const differ = differing(deviation);
  const ways = [
    ...(deviation?.operator === 'window-length' ? [() => first(histories, markersApart)] : []),
    () => first(histories, (history) => sameLeft(history, differ)),
    () => first(histories, overshoot),
    () => first(histories, deficit),
    () => first(histories, (history) => sameLeft(history, () => true)),
  ];
  for (const way of ways) {
    const found = way();
    if (found) return found;
  }
  return null;
}

function first(histories: readonly History[], show: (history: History) => Shown | null): Shown | null {
  for (const history of histories) {
    const found = show(history);
    if (found) return found;
  }
  return null;
}

/** The first answers of two windows, one after the other, whose markers are not a minute apart. */
function markersApart({ events, unit }: History): Shown | null {
  const opened = [...byMarker(events).entries()].sort(([one], [other]) => one - other);
  for (const [index, [later, own]] of opened.entries()) {
    const [earlier, before] = opened[index - 1] ?? [];
    const apart = earlier === undefined ? WINDOW : later - earlier;
    const [event] = own;
    const [last] = before ?? [];
    if (!event || !last || Math.abs(apart - WINDOW) <= (unit ?? 0) || apart > 2 * WINDOW) continue;
    return {
      events: [last, event],
      argument: [
        describe(last.exchange),
        describe(event.exchange),
        `The markers of #${last.exchange.seq} and #${event.exchange.seq} are ${apart / 1e6} s apart: windows of a minute end 60 s after each other.`,
      ],
    };
  }
  return null;
}

/** In what two requests have to differ to show a deviation. */
function differing(deviation: Deviation | null): (one: Event, other: Event) => boolean {
  if (deviation?.operator === 'finer-scope') {
    const { attribute } = deviation.parameters;
    return (one, other) => classOf(attribute, one.exchange) !== classOf(attribute, other.exchange);
  }
  return () => false;
}

/** Two answers of one window, one after the other, of which the later has as much left as the earlier, or more. */
function sameLeft({ events, unit }: History, differ: (one: Event, other: Event) => boolean): Shown | null {
  const answered = events.filter(
    ({ outcome, remaining, reset }) => outcome === 'accepted' && remaining !== null && reset !== null,
  );
  for (const [index, later] of answered.entries()) {
    const earlier = answered
      .slice(Math.max(0, index - MOST_COMPARED), index)
      .find(
        (other) =>
          other.to < later.from &&
          Math.abs((other.reset ?? 0) - (later.reset ?? 0)) <= (unit ?? 0) &&
          later.from - other.from < WINDOW / 2 &&
          (later.remaining ?? 0) >= (other.remaining ?? 0) &&
          differ(other, later),
      );
    if (!earlier) continue;
    const says = earlier.remaining === later.remaining ? `both say ${later.remaining} left` : 'the later has more left';
    return {
      events: [earlier, later],
      argument: [
        describe(earlier.exchange),
        describe(later.exchange),
        `#${later.exchange.seq} was sent after #${earlier.exchange.seq} had been answered, with the same key and in the same window, and ${says}.`,
      ],
    };
  }
  return null;
}

/** How many answers before one are compared with it. */
const MOST_COMPARED = 64;

/** More accepted requests than the limit that carry one marker, sent within a minute. */
function overshoot({ events, limit }: History): Shown | null {
  const windows = Map.groupBy(
    events.filter(({ outcome, reset }) => outcome === 'accepted' && reset !== null),
    ({ reset }) => reset,
  );
  for (const window of windows.values()) {
    const [opened] = window;
    const last = window.at(-1);
    if (!opened || !last || window.length <= limit || last.from - opened.to > WINDOW) continue;
    return {
      events: [opened, last],
      argument: [
        describe(opened.exchange),
        describe(last.exchange),
        `From #${opened.exchange.seq} to #${last.exchange.seq}, ${window.length} requests were accepted whose marker is ${opened.exchange.headers.reset[0]}: one window. The limit is ${limit}.`,
      ],
    };
  }
  return null;
}

/** An answer that leaves some, and a later one that has fewer than come between. */
function deficit(history: History): Shown | null {
  const found = findDeficits(history, 1)[0] ?? findEarlyRefusal(history);
  if (!found) return null;
  const { earlier, later, between } = found;
  return {
    events: [earlier, later],
    argument: [
      describe(earlier.exchange),
      describe(later.exchange),
      `At most ${between} other requests of the key can have been counted between the two: more is missing than that.`,
    ],
  };
}
