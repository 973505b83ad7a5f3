import { sentence } from '../../deployment/operators.ts';
import type { LeftOpen } from '../../diagnosis/left-open.ts';
import type { BudgetAnalysis, BudgetWindow, Interval, Prediction } from '../../oracle/analysis.ts';
import type { Explanation } from '../../oracle/explain.ts';
import { type Event, type History, WINDOW } from '../../oracle/history.ts';
import type { MarkerReading } from '../../oracle/marker-reading.ts';
import type { Alternative } from '../../oracle/model.ts';
import type { Observation } from '../verdict.ts';
import { refutedFamilies } from './refutation.ts';
import { nameOf, type Subject } from './subject.ts';
import { toldWindows } from './told-windows.ts';

/** For budgets with more exchanges, reports plot only the windows. */
const MOST_PREDICTED = 10_000;

/**
 * What is known of a kind besides its ruling: how its markers are read, and what the answers leave open; null: this was
 * not examined.
 */
export interface KindFacts {
  readonly marker: MarkerReading;
  readonly open: LeftOpen | null;
}

/**
 * The data of a budget that reports plot.
 *
 * @param predicted whether to add what the best mechanism predicts for each request
 */
export function describeBudget(subject: Subject, predicted: boolean, facts: KindFacts): BudgetAnalysis {
  const { budget, explained, window, ruling } = subject;
  const { history } = budget;
  const conforms = ruling === null || ruling.outcome === 'conforms';
  const own = explained.filter((each) => each.history.key === history.key);
  const [deviating] = ruling?.minimal ?? [];
  return {
    key: budget.key,
    kind: budget.kind,
    limit: history.limit,
    exchanges: budget.exchanges.length,
    surviving: conforms ? survivors(own, history, facts) : [],
    refuted: ruling && !conforms ? refutedFamilies(ruling.diagnosis).filter(isShownBy(budget.key)) : [],
    windows: windowsFound(subject),
    predictions: predicted ? own.flatMap((each) => predictionsOf(each.history, each.explanation)) : [],
    windowLength: window && { low: window.low, high: window.high },
    diagnosis: deviating
      ? deviating.deviations
          .map((each) => sentence(each))
          .join(' ')
          .replace(/\.$/, '')
      : null,
  };
}

/** Whether the requests that refute a mechanism are of this key: one budget refutes it for all of its kind. */
function isShownBy(key: string): (refuted: ReturnType<typeof refutedFamilies>[number]) => boolean {
  return ({ exchanges }) => exchanges.some((each) => each.key === key);
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** The best mechanism first, then the others that explain the budgets of its kind. */
function survivors(own: Subject['explained'], history: History, facts: KindFacts): BudgetAnalysis['surviving'] {
  const best = own.map(({ explanation }) => survivor(explanation, history, facts));
  const [first] = best;
  if (!first) return best;
  const others = (facts.open?.others ?? []).map(({ shape: { mechanism, refusedCounted, lag } }) => {
    return { ...first, mechanism, refusedCounted, phase: null, wholeSeconds: lag > 0 };
  });
  return [...best, ...others];
}

function survivor(
  { variant, phase }: Explanation,
  history: History,
  { marker, open }: KindFacts,
): BudgetAnalysis['surviving'][number] {
  const groups = [...new Set(history.events.map(({ group }) => group))].filter((group) => group !== '').sort();
  const origin = history.events[0]?.from ?? 0;
  const { counting } = variant;
  const { low, high } = history.offset;
  const isOpen = (group: string): boolean => counting.undecided.has(group) || (open?.groups.has(group) ?? false);
  return {
    mechanism: variant.mechanism,
    phase: phase && { low: (origin + phase.low) % WINDOW, high: (origin + phase.high) % WINDOW },
    unit: history.unit,
    marker: history.unit === null ? null : marker.name,
    // What holds for every phase, and not only for the one that was found first.
    offset: { low: finite(low), high: finite(high) },
    wholeSeconds: variant.lag > 0,
    refusedCounted: counting.refusedCounted,
    counted: groups.filter((group) => counting.failedCounted.has(group) && !isOpen(group)),
    notCounted: groups.filter((group) => !counting.failedCounted.has(group) && !isOpen(group)),
  };
}

/** The windows of the mechanism that explains the budget. If none does, those that the answers state. */
function windowsFound({ budget, explained, ruling }: Subject): readonly BudgetWindow[] {
  const { history } = budget;
  const [own] = explained.filter((each) => each.history.key === history.key);
  const conforms = ruling === null || ruling.outcome === 'conforms';
  if (own && conforms) return windowsOf(own.history, own.explanation, history);
  return (
    toldWindows(history) ?? (own ? windowsOf(own.history, own.explanation, history, Number.POSITIVE_INFINITY) : [])
  );
}

/**
 * The windows into which the best mechanism puts the requests; none for a sliding log. If a request lies on the
 * boundary of two windows, its marker says to which it belongs.
 *
 * @param limit the limit of clause 8, with which windows are compared
 * @param most how many the mechanism accepts, if it explains every decision: then no window shows more, whichever side
 * of a boundary a request is shown on
 */
function windowsOf(history: History, best: Explanation, { limit }: History, most = limit): readonly BudgetWindow[] {
  const found = new Map<number, Filling>();
  const between: Event[] = [];
  for (const event of history.events) {
    const places = best.model.alternatives(event);
    if (places.length > 1) between.push(event);
    else fill(found, event, places[0], limit);
  }
  for (const event of between) {
    const places = best.model.alternatives(event);
    const marker = markerOf(event) ?? '';
    const named = places.find(({ window }) => window !== null && found.get(window)?.markers.has(marker));
    fill(found, event, named ?? places[places.length - 1], limit);
  }
  return [...found.values()]
    .sort((one, other) => one.end.low - other.end.low)
    .map(({ markers, early, ...window }) => ({
      ...window,
      overshoot: Math.max(0, Math.min(window.accepted, most) - limit),
      undershoot: most === limit ? 0 : Math.min(early, Math.max(0, limit - window.accepted)),
      marker:
        [...markers].reduce<readonly [string, number] | null>(
          (one, other) => (one && one[1] >= other[1] ? one : other),
          null,
        )?.[0] ?? null,
    }));
}

/** A window whose requests are being counted. */
interface Filling {
  readonly start: Interval;
  readonly end: Interval;
  accepted: number;
  refused: number;
  /** Requests that were refused before the limit can have been reached. */
  early: number;
  /** How many answers had each marker. */
  readonly markers: Map<string, number>;
}

function fill(found: Map<number, Filling>, event: Event, place: Alternative | undefined, limit: number): void {
  if (!place || place.window === null) return;
  const end = { low: place.resetLow, high: place.resetHigh };
  const start = { low: end.low - WINDOW, high: end.high - WINDOW };
  const window = found.get(place.window) ?? { start, end, accepted: 0, refused: 0, early: 0, markers: new Map() };
  found.set(place.window, window);
  if (event.outcome === 'accepted') window.accepted++;
  if (event.outcome === 'refused') window.refused++;
  if (event.outcome === 'refused' && place.high < limit && !place.latched) window.early++;
  const marker = markerOf(event);
  if (marker !== undefined) window.markers.set(marker, (window.markers.get(marker) ?? 0) + 1);
}

function markerOf({ outcome, exchange }: Event): string | undefined {
  return outcome === 'unclear' ? undefined : exchange.headers.reset[0];
}

function predictionsOf(history: History, best: Explanation): readonly Prediction[] {
  if (history.events.length > MOST_PREDICTED) return [];
  return history.events.flatMap((event) => {
    const places = best.model.alternatives(event);
    if (places.length === 0 || event.outcome === 'unclear') return [];
    const taken = event.outcome === 'refused' ? 0 : 1;
    const low = Math.max(0, history.shown - taken - Math.max(...places.map((place) => place.high)));
    const high = Math.max(0, history.shown - taken - Math.min(...places.map((place) => place.low)));
    const [least, most] = event.outcome === 'refused' ? [0, 0] : [low, high];
    return [{ seq: event.exchange.seq, low: least, high: most, received: event.remaining }];
  });
}

/** LIMIT-O1 for one budget: the mechanism, what it counts, and how it writes the marker. */
export function observe(subject: Subject, kind: KindFacts): readonly Observation[] {
  const { budget, explained, window, ruling } = subject;
  const { history } = budget;
  const name = nameOf(subject).replace(' ', '.');
  const evidence = history.events.slice(0, 1).map(({ exchange }) => exchange.seq);
  const fact = (what: string, value: string): Observation => ({
    requirement: 'LIMIT-O1',
    name: `${what}.${name}`,
    value,
    evidence,
  });
  const facts: Observation[] = [];
  const [best] = explained;
  if (best && (ruling === null || ruling.outcome === 'conforms')) {
    // Until a budget is spent, all mechanisms give the same answers.
    const isSpent = history.events.some(({ outcome }) => outcome === 'refused');
    const { mechanism } = best.explanation.variant;
    const possible = [mechanism, ...(kind.open?.others ?? []).map(({ shape }) => shape.mechanism)];
    if (isSpent)
      facts.push(fact('mechanism', possible.length === 1 ? mechanism : `not decided: ${possible.join('; ')}`));
    const step = ruling?.diagnosis.conforming?.step;
    if (step !== undefined) facts.push(fact('steps', `${step.low / 1e6} to ${step.high / 1e6} s`));
    const { counted, notCounted, offset } = survivor(best.explanation, history, kind);
    if (counted.length > 0) facts.push(fact('counted', counted.join(', ')));
    if (notCounted.length > 0) facts.push(fact('not-counted', notCounted.join(', ')));
    const { low, high } = offset;
    if (history.unit !== null && low !== null && high !== null) {
      facts.push(fact('limiter-clock-offset', `${(low / 1e6).toFixed(3)} to ${(high / 1e6).toFixed(3)} s`));
    }
  }
  if (history.unit !== null) facts.push(fact('reset.unit', kind.marker.name));
  if (window) facts.push(fact('window', `${(window.low / 1e6).toFixed(2)} to ${(window.high / 1e6).toFixed(2)} s`));
  return facts;
}
