import type { BudgetAnalysis, BudgetWindow, Interval, Prediction } from '../../oracle/analysis.ts';
import type { Explanation } from '../../oracle/explain.ts';
import { type Event, type History, WINDOW } from '../../oracle/history.ts';
import type { MarkerReading } from '../../oracle/marker.ts';
import type { Alternative } from '../../oracle/model.ts';
import type { Observation } from '../verdict.ts';
import { explainContradiction } from './proofs.ts';
import { type Examined, nameOf } from './thresholds.ts';
import { toldWindows } from './told-windows.ts';

/** Budgets with more exchanges are plotted by their windows alone. */
const MOST_PREDICTED = 10_000;

/**
 * What reports plot of a budget: plain data.
 *
 * @param predicted with what the best mechanism says of each request
 */
export function describeBudget(examined: Examined, diagnosis: string | null, predicted: boolean): BudgetAnalysis {
  const { budget, findings, window } = examined;
  const { history, whole, refuted, best } = findings;
  return {
    key: budget.key,
    kind: budget.kind,
    limit: history.limit,
    exchanges: budget.exchanges.length,
    surviving: whole.map((explanation) => survivor(explanation, history)),
    refuted: refuted.map(({ variant, contradictions }) => {
      const last = contradictions[contradictions.length - 1];
      const shown = last ? explainContradiction(last, history) : { evidence: [], argument: [] };
      return {
        mechanism: variant.mechanism,
        wholeSeconds: variant.lag > 0,
        refusedCounted: variant.counting.refusedCounted,
        evidence: shown.evidence.map(({ seq }) => seq),
        argument: shown.argument,
      };
    }),
    windows: windowsFound(examined),
    predictions: predicted ? predictionsOf(history, best) : [],
    windowLength: window && { low: window.low, high: window.high },
    diagnosis,
  };
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

function survivor({ variant, phase, offset }: Explanation, history: History): BudgetAnalysis['surviving'][number] {
  const groups = [...new Set(history.events.map(({ group }) => group))].filter((group) => group !== '').sort();
  const origin = history.events[0]?.from ?? 0;
  const { counting } = variant;
  return {
    mechanism: variant.mechanism,
    phase: phase && { low: (origin + phase.low) % WINDOW, high: (origin + phase.high) % WINDOW },
    unit: history.unit,
    offset: { low: finite(offset.low), high: finite(offset.high) },
    wholeSeconds: variant.lag > 0,
    refusedCounted: counting.refusedCounted,
    counted: groups.filter((group) => counting.failedCounted.has(group)),
    notCounted: groups.filter((group) => !counting.failedCounted.has(group) && !counting.undecided.has(group)),
  };
}

/**
 * The windows of the best mechanism, under another limit where the decisions fit that one. Where none explains them all, those that
 * the answers themselves tell; or, where the markers tell none, the one of which they say that too many were let through.
 */
function windowsFound({ findings, otherLimit, misfit }: Examined): readonly BudgetWindow[] {
  const { history, best, whole } = findings;
  if (whole.length > 0) return windowsOf(history, best, history);
  if (otherLimit) {
    const since = otherLimit.since ?? Number.NEGATIVE_INFINITY;
    const earlier = { ...history, events: history.events.filter(({ from }) => from < since) };
    const other = otherLimit.findings;
    return [...windowsOf(earlier, best, history), ...windowsOf(other.history, other.best, history, otherLimit.limit)];
  }
  const windows = toldWindows(history) ?? windowsOf(history, best, history, Number.POSITIVE_INFINITY);
  const [first] = misfit?.crowd ?? [];
  if (windows.length > 0 || !misfit || !first) return windows;
  const told = (first.reset ?? Number.NaN) - history.offset.low;
  const end = Number.isFinite(told) ? told : first.from + WINDOW;
  const accepted = misfit.crowd.length;
  return [
    {
      start: { low: end - WINDOW, high: end - WINDOW },
      end: { low: end, high: end },
      accepted,
      refused: history.events.filter(({ outcome, reset }) => outcome === 'refused' && reset === first.reset).length,
      overshoot: accepted - history.limit,
      undershoot: 0,
      marker: first.exchange.headers.reset[0] ?? null,
    },
  ];
}

/**
 * The windows in which the best mechanism puts the requests; for a sliding log there are none. Of a request between two of them
 * the marker tells to which it belongs.
 *
 * @param limit the specified one, which windows are held against
 * @param most what the mechanism lets through, where it explains every decision: none was over that, on whichever side of a
 *   boundary a request is shown
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

/** A window while its requests are counted. */
interface Filling {
  readonly start: Interval;
  readonly end: Interval;
  accepted: number;
  refused: number;
  /** Those that were refused before the limit can have been reached. */
  early: number;
  /** How many answers gave each marker. */
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
export function observe(examined: Examined, marker: MarkerReading): readonly Observation[] {
  const { findings, window } = examined;
  const { history, whole } = findings;
  const name = nameOf(examined).replace(' ', '.');
  const evidence = history.events.slice(0, 1).map(({ exchange }) => exchange.seq);
  const fact = (what: string, value: string): Observation => ({
    requirement: 'LIMIT-O1',
    name: `${what}.${name}`,
    value,
    evidence,
  });
  const facts: Observation[] = [];
  const [best] = whole;
  if (best) {
    facts.push(fact('mechanism', [...new Set(whole.map(({ variant }) => variant.mechanism))].join(' or ')));
    const { counted, notCounted } = survivor(best, history);
    if (counted.length > 0) facts.push(fact('counted', counted.join(', ')));
    if (notCounted.length > 0) facts.push(fact('not-counted', notCounted.join(', ')));
    const { low, high } = best.offset;
    if (history.unit !== null && Number.isFinite(low) && Number.isFinite(high)) {
      facts.push(fact('limiter-clock-offset', `${(low / 1e6).toFixed(3)} to ${(high / 1e6).toFixed(3)} s`));
    }
  }
  if (history.unit !== null) facts.push(fact('reset.unit', marker.name));
  if (window) facts.push(fact('window', `${(window.low / 1e6).toFixed(2)} to ${(window.high / 1e6).toFixed(2)} s`));
  return facts;
}
