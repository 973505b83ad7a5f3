import { anchoredChains, renewedChains } from './anchored.ts';
import { type Candidates, chainsOf, FINEST } from './candidates.ts';
import { slidingCounter } from './counter.ts';
import { countsOf } from './counts.ts';
import { type Event, type History, isAnothers, type Range, WINDOW } from './history.ts';
import { slidingLog } from './log.ts';
import { DRIFT, type ModelInput, type Span } from './model.ts';
import type { Box, Dimension } from './search.ts';
import type { Variant } from './variant.ts';
import { fixedWindows, gridSpans } from './windows.ts';

/** How long after the first request of a budget an early refusal may be due to earlier use, in µs. */
const EARLY = 60_000_000;
/** Requests sent within this time of the first show how much of the budget was used before it, in µs. */
export const FIRST_MOMENT = 2_000_000;

/**
 * The lowest and highest number of requests counted before the history, if its first answers show that there were any:
 * less is left than the requests so far explain, or one is refused too early. Null if they show none: the key was
 * unused. Other requests may have been counted before a delayed answer, so these are bounds.
 */
export function priorUse(history: History): Range | null {
  const { events, limit, shown } = history;
  const origin = events[0]?.from ?? 0;
  const early = events.filter(({ from }) => from <= origin + EARLY);
  const started = (time: number) =>
    early.filter(({ from, outcome }) => from <= time && outcome !== 'refused' && !isAnothers(outcome)).length;
  const missing = early.some(({ outcome, remaining, to }) => {
    if (outcome === 'refused') return started(to) < limit;
    return outcome === 'accepted' && remaining !== null && shown - remaining > started(to);
  });
  if (!missing || beganAtRest(history)) return null;
  const first = early.filter(({ from }) => from <= origin + FIRST_MOMENT);
  const gone = first.flatMap(({ outcome, remaining, from }) =>
    outcome === 'accepted' && remaining !== null
      ? [shown - 1 - remaining - first.filter((other) => other.outcome === 'accepted' && other.to < from).length]
      : [],
  );
  const high = gone.length > 0 ? Math.min(limit, Math.max(0, ...gone)) : limit;
  return { low: 0, high };
}

/**
 * By how much (µs) a marker must be sooner than a window after the first request, to show more than clocks that tick in
 * seconds.
 */
const SOONER = 2_000_000;

/**
 * Whether the first marker shows that its window had begun before the first request, though nothing may have been
 * counted in it: with the process, or by a request that is not counted.
 */
export function wasOpenBefore(history: History): boolean {
  const first = history.events[0];
  const end = endTold(history);
  return first !== undefined && end !== null && end.high < first.from + WINDOW - SOONER;
}

/** When the first window ends, as the first marker tells (µs of the run's clock); null if none tells it. */
function endTold({ events, offset, unit }: History): Range | null {
  const told = events.find(({ outcome, reset }) => reset !== null && (outcome === 'accepted' || outcome === 'refused'));
  if (!told || told.reset === null || unit === null) return null;
  return { low: told.reset - unit - offset.high, high: told.reset + unit - offset.low };
}

/**
 * When a window ends in which nothing was counted before the history, in µs after its beginning: a marker tells this,
 * unless it is that of the moment, as of a budget of which all is free.
 */
function endOfUnused(history: History, slack: number): Range | null {
  const end = endTold(history);
  const origin = history.events[0]?.from ?? 0;
  if (!end || end.low < origin + SOONER) return null;
  const [low, high] = [Math.max(0, end.low - origin - slack), Math.min(WINDOW, end.high - origin + slack)];
  return low < high ? { low, high } : null;
}

/**
 * Whether an answer shows the whole limit less its own request, and no request that can have been decided before it
 * shows less than the requests so far explain. Then no earlier use was left by then, and later deficits have another
 * cause.
 */
function beganAtRest({ events, shown }: History): boolean {
  const whole = events.find(({ outcome, remaining }) => outcome === 'accepted' && remaining === shown - 1);
  if (!whole) return false;
  const before = events.filter(({ from }) => from <= whole.to);
  return before.every(({ outcome, remaining, to }) => {
    if (outcome !== 'accepted') return outcome !== 'refused' && !isAnothers(outcome);
    const started = before.filter(({ from }) => from <= to).length;
    return remaining === null || shown - remaining <= started;
  });
}

const NOWHERE = { low: 0, high: 0 };

/**
 * The models of a variant for a budget of which `prior` requests were used when the history began. The use lies in the
 * window that was open then or, for a sliding counter, also in the one before.
 */
export function priorSearch(variant: Variant, input: ModelInput, prior: Range, history: History): Candidates {
  const { window, lag } = input;
  const { latch, marker } = variant;
  const origin = input.events[0]?.from ?? 0;
  const count: Dimension = { ...prior, finest: 1, whole: true };
  const isUnused = prior.high === 0 && window === WINDOW;
  const ends = isUnused ? endOfUnused(history, lag + DRIFT * window) : null;
  const phase: Dimension = { low: 0, high: window, ...ends, finest: FINEST, whole: false };
  /** Refused requests may count in a counter too, so more than the limit can have been counted. */
  const mostBefore = input.counting.refusedCounted ? 2 * input.limit : input.limit;
  const before: Dimension = { low: 0, high: mostBefore, finest: 1, whole: true };
  /** The window that was open when the history began, which ends at the phase after that, and the one before it. */
  const opened = ([ends = NOWHERE, open = NOWHERE, previous = NOWHERE]: Box): readonly [Span, Span] => {
    const slack = lag + DRIFT * window;
    const span = (shift: number, earlier: Range): Span => ({
      startLow: origin + ends.low + shift - window - slack,
      startHigh: origin + ends.high + shift - window + slack,
      sureFrom: Number.NEGATIVE_INFINITY,
      endLow: origin + ends.low + shift - slack,
      endHigh: origin + ends.high + shift + slack,
      earlier,
    });
    return [span(-window, previous), span(0, open)];
  };
  const grid = ([ends = NOWHERE, open = NOWHERE, previous = NOWHERE]: Box): readonly Span[] =>
    gridSpans(input, ends.low, ends.high).map((span, index) =>
      index === 0 ? { ...span, earlier: previous } : index === 1 ? { ...span, earlier: open } : span,
    );
  const counter = (spans: readonly Span[]) => slidingCounter(spans, input, latch, marker);
  switch (variant.mechanism) {
    case 'grid':
      return { dimensions: [phase, count], models: (box) => [fixedWindows(grid(box), input)] };
    case 'anchored':
    case 'grid, anchored':
    case 'anchored, key':
    case 'anchored, all':
      return {
        dimensions: [phase, count],
        models: (box) =>
          chainsOf(variant.mechanism, input, opened(box).slice(1)).map((chain) => fixedWindows(chain, input)),
      };
    case 'log':
      return { dimensions: [], models: () => [slidingLog(withEntries(input, prior), variant.reset)] };
    case 'counter':
      return { dimensions: [phase, count, before], models: (box) => [counter(grid(box))] };
    case 'counter, anchored':
      return {
        dimensions: [phase, count, before],
        models: (box) =>
          [
            ...anchoredChains(input, { anyDecision: true, first: opened(box) }),
            ...renewedChains(input, opened(box)),
          ].map(counter),
      };
  }
}

/** The input with additional log entries, made at any time in the window before the history. */
function withEntries(input: ModelInput, prior: Range): ModelInput {
  const [first] = input.events;
  if (!first) return input;
  const most = input.counting.refusedCounted && prior.high === input.limit ? 3 * input.limit : prior.high;
  const entry: Event = {
    ...first,
    from: first.from - input.window * (1 + DRIFT) - input.lag,
    to: first.from,
    outcome: 'unclear',
    group: '',
    remaining: null,
    reset: null,
  };
  const entries = Array.from({ length: most }, () => entry);
  return { ...input, counts: countsOf([...entries, ...input.events], input.counting) };
}
