import type { Layers } from './check.ts';
import { type Explanation, explains } from './explain.ts';
import { type History, type Range, WINDOW } from './history.ts';
import type { Variant } from './variant.ts';
import { unlessSpent, Work } from './work.ts';

const SECOND = 1_000_000;
/** Lengths closer than this are not distinguished, in µs. */
const FINE = 50_000;
/** Lengths beyond these are not tried, in µs. */
const SHORTEST = 5 * SECOND;
const LONGEST = 130 * SECOND;

/**
 * The possible lengths of the window: the interval around `length` within which the variant still explains the
 * decisions (and Remaining, if `layers` say so). The markers are ignored, because they only state what the deployment
 * says of itself.
 *
 * @param length a length in µs under which the variant explains the history
 * @param known an explanation under that length
 * @returns the interval in µs; a side without a bound is at the shortest or longest length that is tried
 */
export function measureWindow(
  variant: Variant,
  history: History,
  layers: Layers,
  length = WINDOW,
  known: Explanation | null = null,
): Range {
  const work = new Work(MEASURING_WORK);
  const fits = (candidate: number): boolean =>
    unlessSpent(() => explains(variant, history, layers, candidate, null, work, known) !== null, true);
  return { low: edge(fits, length, SHORTEST), high: edge(fits, length, LONGEST) };
}

/**
 * Bound of work to measure one window, in events: a quarter of a second of one core. A length that this leaves open
 * counts as possible.
 */
const MEASURING_WORK = 1_000_000;

/**
 * The last length between `inside`, which fits, and `outside` that fits, assuming that fitting lengths form an
 * interval.
 */
function edge(fits: (length: number) => boolean, inside: number, outside: number): number {
  const direction = Math.sign(outside - inside);
  let good = inside;
  let bad = outside;
  for (let step = SECOND; ; step *= 2) {
    const candidate = inside + direction * step;
    if ((candidate - outside) * direction >= 0) {
      if (fits(outside)) return outside;
      break;
    }
    if (!fits(candidate)) {
      bad = candidate;
      break;
    }
    good = candidate;
  }
  while (Math.abs(bad - good) > FINE) {
    const middle = (good + bad) / 2;
    if (fits(middle)) good = middle;
    else bad = middle;
  }
  return good;
}

/** Another length of the window, for a history that no window of a minute explains. */
export interface OtherWindow {
  readonly length: Range;
  readonly explanation: Explanation;
}

/**
 * Searches for a length with which some mechanism explains the history: nearest to a minute first, in steps of a second
 * with a tolerance of a second, so that no length between is skipped. Throws a `WorkSpent` if it takes too much work.
 */
export function findWindow(history: History, layers: Layers, work: Work): OtherWindow | null {
  if (!history.events.some(({ outcome }) => outcome === 'refused')) return null;
  const counting = { failedCounted: new Set<string>(), undecided: groupsOf(history), refusedCounted: false };
  for (let distance = SECOND; distance <= LONGEST - WINDOW; distance += SECOND) {
    for (const length of [WINDOW - distance, WINDOW + distance]) {
      if (length < SHORTEST) continue;
      for (const mechanism of ['anchored', 'grid', 'log'] as const) {
        const variant: Variant = { mechanism, counting, lag: SECOND, reset: 'oldest', latch: false };
        const explanation = explains(variant, history, layers, length, null, work);
        if (!explanation) continue;
        const near = nearest({ ...variant, lag: 0 }, history, layers, length, work);
        const exact = near === null ? variant : { ...variant, lag: 0 };
        if (mayBeAMinute(exact, history, layers, near ?? length, work)) continue;
        return { length: measureWindow(exact, history, layers, near ?? length), explanation };
      }
    }
  }
  return perSecond(history, layers, work);
}

/** A limit that is scaled down to a shorter window, such as 2 in each second for 100 in each minute. */
function perSecond(history: History, layers: Layers, work: Work): OtherWindow | null {
  const counting = { failedCounted: new Set<string>(), undecided: groupsOf(history), refusedCounted: false };
  for (const seconds of [1, 2, 5, 6, 10, 12, 15, 20, 30]) {
    const limit = Math.ceil((history.limit * seconds * SECOND) / WINDOW);
    const scaled = { ...history, limit, shown: limit };
    for (const mechanism of ['anchored', 'grid'] as const) {
      const variant: Variant = { mechanism, counting, lag: 0, reset: 'oldest', latch: false };
      const explanation = explains(variant, scaled, { ...layers, remaining: false }, seconds * SECOND, null, work);
      if (explanation) return { length: { low: seconds * SECOND, high: seconds * SECOND }, explanation };
    }
  }
  return null;
}

/** The nearest length within a second that fits; null if none does. */
function nearest(variant: Variant, history: History, layers: Layers, length: number, work: Work): number | null {
  for (let off = 0; off <= SECOND; off += FINE) {
    for (const candidate of [length - off, length + off]) {
      if (explains(variant, history, layers, candidate, null, work) !== null) return candidate;
    }
  }
  return null;
}

/**
 * Whether the lengths that fit, of which this is one, reach to within a second of a minute: they form an interval, so
 * one look at the nearer end of these decides it.
 */
function mayBeAMinute(variant: Variant, history: History, layers: Layers, length: number, work: Work): boolean {
  const border = length < WINDOW ? WINDOW - SECOND : WINDOW + SECOND;
  if (Math.abs(length - WINDOW) <= SECOND) return true;
  return explains(variant, history, layers, border, null, work) !== null;
}

function groupsOf(history: History): ReadonlySet<string> {
  return new Set(history.events.map(({ group }) => group).filter((group) => group !== ''));
}
