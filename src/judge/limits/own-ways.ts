import { isAnswerOf } from '../../deployment/answers.ts';
import { classOf } from '../../deployment/attribute.ts';
import type { MarkerHeader } from '../../deployment/deviations/marker-header.ts';
import { breaks, type Deviation } from '../../deployment/operators.ts';
import { type Event, type History, WINDOW } from '../../oracle/history.ts';
import { meantBy } from './class-between.ts';
import { costsBetween, passesRefusals } from './class-showings.ts';
import { lessAtFirst } from './first-of-window.ts';
import {
  costsOtherwise,
  markerGoesBack,
  markersDiffer,
  moreThanLimit,
  refusedBeforeMore,
  refusedWithSomeLeft,
  repeatsEarlier,
  slowCostsTwo,
} from './own-showings.ts';
import { toldBetween } from './told-between.ts';
import { overshoot, refusedEarly, type Shown, soonestOverLimit } from './window-counts.ts';
import {
  areNearer,
  endMoves,
  endsOfOneWindow,
  markerStays,
  markersApart,
  misplaced,
  notBackByMarker,
  partlyBack,
  wholeBeforeEnd,
  wholeTwice,
} from './window-showings.ts';

/** Looks for the requests of a budget that show a deviation. */
type Way = (history: History) => Shown | null;

/** The ways to show a deviation of this kind, the best ones first; none: only what shows any deviation shows it. */
export function ownWays(deviation: Deviation | null, histories: readonly History[]): readonly Way[] {
  return [...ofParameters(deviation, histories), ...(OWN[deviation?.operator ?? ''] ?? [])];
}

/** Special proofs that depend on the parameters of a deviation. */
function ofParameters(deviation: Deviation | null, histories: readonly History[]): readonly Way[] {
  if (deviation?.operator === 'remaining-header' && deviation.parameters.change === 'repeated') return [repeatsEarlier];
  if (deviation?.operator === 'remaining-header' && breaks(deviation).join() === 'HDR-5') return [refusedWithSomeLeft];
  const answers = deviation?.operator === 'remaining-header' ? deviation.parameters.only : 'all';
  if (typeof answers === 'object')
    return [(history) => toldBetween(history, ({ exchange }) => isAnswerOf(answers, exchange))];
  if (deviation?.operator === 'other-mechanism' && deviation.parameters.every !== undefined)
    return [(history) => partlyBack(history, true)];
  if (deviation?.operator === 'moved-end') {
    const untold = deviation.parameters.told === false;
    return untold
      ? [wholeTwice, wholeBeforeEnd, notBackByMarker, misplaced, markerStays]
      : [endMoves, misplaced, markerStays, wholeTwice];
  }
  if (deviation?.operator === 'refused-beside' && deviation.parameters.of === 'the same budget')
    return [notBackByMarker];
  if (deviation?.operator === 'window-length') {
    const { told } = deviation.parameters;
    const areWindows = !histories.some((history) => areNearer(history, Math.min(told, WINDOW)));
    return [...(areWindows ? [markersApart] : []), misplaced, markerStays, wholeTwice];
  }
  if (deviation?.operator === 'marker-header') return [...ofMarkers(deviation.parameters), ...ANY_MARKER];
  const isOfClass = deviation && classIn(deviation);
  if (!isOfClass) return [];
  const weight = deviation?.operator === 'class-weight' ? deviation.parameters.weight : 0;
  return [
    ...(weight === 0 ? [(history: History) => passesRefusals(history, isOfClass)] : []),
    (history) => costsBetween(history, isOfClass, weight),
    ...(deviation?.operator === 'class-weight'
      ? [(history: History) => costsOtherwise(history, isOfClass, weight)]
      : []),
  ];
}

/** The requests that a deviation is about, where these cost another number than one, or nothing; null: it is another. */
function classIn(deviation: Deviation): ((event: Event) => boolean) | null {
  const { operator, parameters } = deviation;
  if (operator === 'finer-scope' && parameters.exempt.length > 0 && parameters.exemptHeaders !== 'repeated') {
    const { attribute, exempt } = parameters;
    return ({ exchange }) => exempt.includes(classOf(attribute, exchange));
  }
  return operator === 'class-weight' ? meantBy(deviation) : null;
}

/** What shows that markers are told wrongly: answers whose markers cannot be right, by how they are wrong. */
function ofMarkers({ change, only }: MarkerHeader): readonly Way[] {
  if (only === 'openers')
    return [(history) => markersDiffer(history, ({ remaining }) => remaining === history.shown - 1)];
  if (typeof only === 'object')
    return [(history) => markersDiffer(history, ({ exchange }) => isAnswerOf(only, exchange))];
  if (typeof change === 'object' && 'clock' in change) return [notBackByMarker];
  const moves = typeof change === 'object' && ('ahead' in change || 'wobble' in change || 'scatter' in change);
  return moves || change === 'goes back' ? [endsOfOneWindow] : [];
}

/** What shows most wrong markers. */
const ANY_MARKER: readonly Way[] = [markerStays, misplaced, wholeBeforeEnd, notBackByMarker, endsOfOneWindow];

/** Special proofs, for deviations that these show best. */
const OWN: Readonly<Partial<Record<string, readonly Way[]>>> = {
  'clocks-apart': [markerGoesBack],
  'carried-over': [lessAtFirst],
  'counters-lost': [wholeBeforeEnd],
  'other-mechanism': [partlyBack],
  'remaining-header': [moreThanLimit],
  'other-limit': [overshoot, refusedEarly, soonestOverLimit],
  'early-refusal': [refusedWithSomeLeft, refusedBeforeMore, refusedEarly],
  'second-limit': [refusedWithSomeLeft],
  retried: [slowCostsTwo],
};
