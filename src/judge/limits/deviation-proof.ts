import { classOf } from '../../deployment/attribute.ts';
import { type Deviation, sentence } from '../../deployment/operators.ts';
import type { KindDiagnosis } from '../../diagnosis/diagnose.ts';
import { byMarker } from '../../diagnosis/world.ts';
import { findDeficits, findEarlyRefusal } from '../../oracle/capacity.ts';
import { type Event, type History, WINDOW } from '../../oracle/history.ts';
import type { Proof } from '../verdict.ts';
import { misplacedMarker } from './direct.ts';
import {
  allFirst,
  costsOtherwise,
  countedTogether,
  markerGoesBack,
  markersDiffer,
  moreThanLimit,
  refusedBeforeMore,
  refusedWithSomeLeft,
  repeatsEarlier,
  slowCostsTwo,
} from './own-showings.ts';
import { describe, evidenceOf, proof } from './proofs.ts';
import { refutation } from './refutation.ts';
import { withTaken } from './taken-by.ts';
import { overshoot, refusedEarly, type Shown } from './window-counts.ts';

/**
 * The proof that a deployment deviates: first the fewest requests that show the deviation, then what refutes each
 * conforming mechanism.
 *
 * @param others the diagnoses of the other kinds
 */
export function deviationProof(
  expected: string,
  deviation: Deviation,
  diagnosis: KindDiagnosis,
  others: readonly KindDiagnosis[],
): Proof {
  const all = [diagnosis, ...others].flatMap(({ world }) => world.histories);
  const found = showing(deviation, diagnosis.world.histories);
  const shown = found && withTaken(found, deviation, all);
  const against = refutation(diagnosis);
  const argument = [...(shown?.argument ?? []), ...against.argument];
  return proof(
    expected,
    sentence(deviation),
    evidenceOf([...(shown?.events ?? []).map(({ exchange }) => exchange), ...against.evidence]),
    argument,
  );
}

/**
 * The fewest requests that show what is wrong: two answers that contradict each other, or a window with too many
 * requests.
 */
export function showing(deviation: Deviation | null, all: readonly History[]): Shown | null {
  const differ = differing(deviation);
  const keys = deviation?.operator === 'other-limit' ? deviation.parameters.keys : undefined;
  const histories = keys ? all.filter(({ key }) => keys.includes(key)) : all;
  const opens = deviation?.operator === 'lost-updates' && deviation.parameters.when === 'window is made';
  const only = deviation?.operator === 'shared-keys' ? deviation.parameters.only : undefined;
  const isShared = ({ exchange }: Event): boolean => only?.classes.includes(classOf(only.attribute, exchange)) ?? false;
  const ways = [
    ...(only ? [() => countedTogether(histories, isShared)] : []),
    ...(opens ? [() => first(histories, allFirst)] : []),
    ...ofDeviation(deviation).map((way) => () => first(histories, way)),
    ...(OWN[deviation?.operator ?? ''] ?? []).map((way) => () => first(histories, way)),
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

/** Special proofs that depend on the parameters of a deviation. */
function ofDeviation(deviation: Deviation | null): readonly ((history: History) => Shown | null)[] {
  if (deviation?.operator === 'remaining-header' && deviation.parameters.change === 'repeated') return [repeatsEarlier];
  const markers = deviation?.operator === 'marker-header' ? deviation.parameters.only : 'all';
  if (markers === 'openers')
    return [(history) => markersDiffer(history, ({ remaining }) => remaining === history.shown - 1)];
  if (typeof markers === 'object') {
    const { statuses } = markers;
    return [(history) => markersDiffer(history, ({ exchange }) => statuses.includes(exchange.status ?? 0))];
  }
  if (deviation?.operator !== 'class-weight') return [];
  const { attribute, classes } = deviation.parameters;
  const isOfClass = ({ exchange }: Event): boolean =>
    classes.includes(attribute === 'status' ? String(exchange.status) : classOf(attribute, exchange));
  return [(history) => costsOtherwise(history, isOfClass)];
}

/** Special proofs, for deviations that these show best. */
const OWN: Readonly<Partial<Record<string, readonly ((history: History) => Shown | null)[]>>> = {
  'window-length': [markersApart, misplaced, markerStays],
  'moved-end': [endMoves, misplaced, markerStays],
  'clocks-apart': [markerGoesBack],
  'other-mechanism': [partlyBack],
  'marker-header': [markerStays],
  'remaining-header': [moreThanLimit],
  'other-limit': [overshoot, refusedEarly],
  'early-refusal': [refusedWithSomeLeft, refusedBeforeMore, refusedEarly],
  'second-limit': [refusedWithSomeLeft],
  retried: [slowCostsTwo],
};

function first(histories: readonly History[], show: (history: History) => Shown | null): Shown | null {
  for (const history of histories) {
    const found = show(history);
    if (found) return found;
  }
  return null;
}

/** The first answers of two successive windows whose markers are not a minute apart. */
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

/** Two successive answers, of which the later states another end before that of the earlier one has come. */
function endMoves(history: History): Shown | null {
  return markersDiffer(
    history,
    () => true,
    () => true,
  );
}

/** A marker that cannot be the end of a one-minute window, by the target's own clock. */
function misplaced(history: History): Shown | null {
  const { proof: found } = misplacedMarker(history) ?? {};
  const events = history.events.filter(({ exchange }) => found?.evidence.includes(exchange));
  const [event] = events;
  if (!found || !event) return null;
  const sentence = found.received.replace(/^A marker/, `The marker of #${event.exchange.seq}`);
  return { events, argument: [...found.argument, sentence] };
}

/** Two answers with the same marker that were sent more than a window apart. */
function markerStays({ events }: History): Shown | null {
  for (const [marker, own] of byMarker(events)) {
    const [one] = own;
    const other = own.find(({ from }) => one && from - one.to > WINDOW);
    if (!one || !other) continue;
    const apart = ((other.from - one.to) / 1e6).toFixed(1);
    return {
      events: [one, other],
      argument: [
        describe(one.exchange),
        describe(other.exchange),
        `#${one.exchange.seq} and #${other.exchange.seq} carry the marker ${one.exchange.headers.reset[0] ?? marker}, though ${apart} s passed between them: a window lasts 60 s.`,
      ],
    };
  }
  return null;
}

/** Two answers between which some requests came back, but not all. No window returns only a part. */
function partlyBack({ events, limit }: History): Shown | null {
  const answered = events.filter(({ outcome, remaining }) => outcome === 'accepted' && remaining !== null);
  for (const [index, later] of answered.entries()) {
    for (const [at, earlier] of answered.slice(Math.max(0, index - MOST_COMPARED), index).entries()) {
      if (earlier.to >= later.from || later.from - earlier.to > WINDOW / 2) continue;
      const start = Math.max(0, index - MOST_COMPARED) + at;
      const between = answered.slice(start + 1, index).filter(({ from, to }) => from > earlier.to && to < later.from);
      const back = (later.remaining ?? 0) - (earlier.remaining ?? 0) + between.length + 1;
      if (back < 2 || (later.remaining ?? 0) + index - start >= limit) continue;
      return {
        events: [earlier, later],
        argument: [
          describe(earlier.exchange),
          describe(later.exchange),
          `#${later.exchange.seq} was sent ${((later.from - earlier.to) / 1e6).toFixed(1)} s after #${earlier.exchange.seq} had been answered. Until then ${back} requests had come back, and not all: a window that ends gives all of them back at once.`,
        ],
      };
    }
  }
  return null;
}

/** How two requests must differ to show the deviation. */
function differing(deviation: Deviation | null): (one: Event, other: Event) => boolean {
  if (deviation?.operator === 'finer-scope') {
    const { attribute } = deviation.parameters;
    return (one, other) => classOf(attribute, one.exchange) !== classOf(attribute, other.exchange);
  }
  return () => false;
}

/** Two successive answers of one window, the later of which has at least as much left. */
function sameLeft({ events, unit }: History, differ: (one: Event, other: Event) => boolean): Shown | null {
  // If a marker stays for longer than a window, it does not identify a window.
  const stays = new Set(
    [...byMarker(events)]
      .filter(([, own]) => (own.at(-1)?.from ?? 0) - (own[0]?.to ?? 0) > WINDOW)
      .map(([marker]) => marker),
  );
  const answered = events.filter(
    ({ outcome, remaining, reset }) =>
      outcome === 'accepted' && remaining !== null && reset !== null && !stays.has(reset),
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

/** How many earlier answers each answer is compared with. */
const MOST_COMPARED = 64;

/** An answer that leaves some requests, and a later one that has fewer left than the requests between explain. */
function deficit(history: History): Shown | null {
  const found = findDeficits(history, 1)[0] ?? findEarlyRefusal(history);
  if (!found) return null;
  const { earlier, later, between } = found;
  const others = between === 0 ? 'No other' : `At most ${between} other`;
  const requests = `${history.kind}${between > 1 ? 's' : ''} of the key`;
  const left = earlier.remaining ?? 0;
  const yet =
    later.outcome === 'refused'
      ? `#${later.exchange.seq} was refused, though #${earlier.exchange.seq} left ${left}`
      : `${left - (later.remaining ?? 0)} fewer are left`;
  return {
    events: [earlier, later],
    argument: [
      describe(earlier.exchange),
      describe(later.exchange),
      `${others} ${requests} can have been counted between #${earlier.exchange.seq} and #${later.exchange.seq}, and yet ${yet}.`,
    ],
  };
}
