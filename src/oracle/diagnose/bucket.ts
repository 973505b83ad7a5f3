import { type History, WINDOW } from '../history.ts';
import { type Moment, momentsOf } from './moments.ts';

/** What shows that a bucket is refilled. */
interface Refills {
  /** How often a request was accepted right after a refusal, as soon as one had been refilled. */
  readonly drips: number;
  /** How often Remaining showed a partial refill, and how often it showed another level. */
  readonly told: number;
  readonly untold: number;
}

/** How a bucket of some size fits: it must be larger, or smaller; otherwise what shows that it is refilled. */
type Fit = { readonly needs: 'more' | 'less' } | ({ readonly needs: null } & Refills);

/** A smaller refill cannot be distinguished from the error of values. */
const FEWEST_REFILLED = 3;

/** A budget of one deployment in order of time: each request begins and ends. */
interface Sweep {
  /** The refill in one µs. */
  readonly rate: number;
  readonly moments: readonly Moment[];
  /** Begins (index) and ends (−1 − index), in order of time. */
  readonly steps: Int32Array;
}

/** The error of a level: clocks of ms, and rounded refills. */
const SLACK = 0.3;

/**
 * Some limiters count in thousandths of a request: each request and each second may lose one of them (nginx's
 * limit_req).
 */
const GRAIN = 0.001;
const SECOND = 1_000_000;

/** A bucket that is never full enough for one request lets none through. */
const LEAST_SIZE = 1;

/**
 * How often the refill must be seen at the right time before a bucket is named: by decisions, or by Remaining, of which
 * each tells a level to within 4 of 100 (4.6 bits): together more than a lead over use by others that is final.
 */
const FEWEST_DRIPS = 4;
const FEWEST_TOLD = 6;

/** Below this level the bucket is nearly empty, so an accepted request shows the refill. */
const NEARLY_EMPTY = 2;

/**
 * A bucket that is refilled evenly, by the limit in each minute, with a size that fits all budgets of the deployment:
 * each request was accepted if one was left and refused if none was, and the refill was seen. A token bucket, the
 * generic cell rate algorithm and a leaky bucket that refuses make the same decisions (ITU-T I.371 states that the
 * latter two are equivalent).
 *
 * @param otherKind histories of the other kind: if they fit a bucket, their refills count, too
 * @returns whether Remaining is the level of the bucket on all answers of these histories; null if it is no bucket
 */
export function bucketOf(
  histories: readonly History[],
  otherKind: readonly History[],
): { readonly tellsLevel: boolean } | null {
  const seen = refillsSeen(histories);
  const alone = seen.filter(isRefilled);
  const others = seen.length === 0 || alone.length > 0 || otherKind.length === 0 ? [] : refillsSeen(otherKind);
  const shown = [...alone, ...seen.filter((own) => others.some((other) => isRefilled(together([own, other]))))];
  return shown.length === 0 ? null : { tellsLevel: shown.some(({ untold }) => untold === 0) };
}

/** What shows the refill, for each size that fits all budgets; empty if none fits. */
function refillsSeen(histories: readonly History[]): readonly Refills[] {
  const sweeps = histories.map(sweepOf);
  const most = 4 * Math.max(...histories.map(({ limit }) => limit));
  const size = middle(LEAST_SIZE, most, (capacity) => {
    for (const sweep of sweeps) {
      const { needs } = pour(sweep, capacity);
      if (needs !== null) return needs;
    }
    return null;
  });
  if (size === null) return [];
  const sizes = new Set([...histories.map(({ limit }) => limit), Math.floor(size), Math.ceil(size), size]);
  return [...sizes].flatMap((capacity) => {
    const fits = sweeps.flatMap((sweep) => {
      const fit = pour(sweep, capacity);
      return fit.needs === null ? [fit] : [];
    });
    return fits.length < sweeps.length ? [] : [together(fits)];
  });
}

function together(all: readonly Refills[]): Refills {
  const sum = (of: (each: Refills) => number) => all.reduce((total, each) => total + of(each), 0);
  return { drips: sum(({ drips }) => drips), told: sum(({ told }) => told), untold: sum(({ untold }) => untold) };
}

function isRefilled({ drips, told, untold }: Refills): boolean {
  return drips >= FEWEST_DRIPS || (told >= FEWEST_TOLD && untold === 0);
}

/** A value between the lowest and the highest that fit, found by bisection; null: none fits. */
function middle(least: number, most: number, needs: (figure: number) => 'more' | 'less' | null): number | null {
  let low = least;
  let high = most;
  for (let turn = 0; turn < 40; turn++) {
    const figure = Math.sqrt(low * high);
    const direction = needs(figure);
    if (direction === null) return figure;
    if (direction === 'more') low = figure;
    else high = figure;
  }
  return null;
}

function sweepOf(history: History): Sweep {
  const moments = momentsOf(history);
  const steps = new Int32Array(2 * moments.length);
  moments.forEach((_, index) => {
    steps[2 * index] = index;
    steps[2 * index + 1] = -1 - index;
  });
  const timeOf = (step: number): number => (step < 0 ? moments[-1 - step]?.to : moments[step]?.from) ?? 0;
  steps.sort((one, other) => timeOf(one) - timeOf(other) || other - one);
  return { rate: history.limit / WINDOW, moments, steps };
}

/**
 * Lets the requests use a bucket that is full at first, with an upper and a lower bound on its level. A request is
 * subtracted from the upper bound when it was answered and from the lower one when it was sent. Each decision shows
 * whether one was left.
 */
function pour({ rate, moments, steps }: Sweep, capacity: number): Fit {
  let most = capacity;
  let least = capacity;
  let now = moments[0]?.from ?? 0;
  let begun = 0;
  let ended = 0;
  let underway = 0;
  let refusedLast = false;
  let drips = 0;
  let told = 0;
  let untold = 0;
  let refilled = 0;
  let over = 0;
  const size = moments.length;
  const mostThen = new Float64Array(size);
  const leastThen = new Float64Array(size);
  const begunThen = new Float64Array(size);
  const endedThen = new Float64Array(size);
  const overThen = new Float64Array(size);
  for (const step of steps) {
    const index = step < 0 ? -1 - step : step;
    const moment = moments[index];
    if (!moment) continue;
    const { event, from, to, fate } = moment;
    const time = step < 0 ? to : from;
    refilled = most + (time - now) * rate > capacity ? 0 : refilled + (time - now) * rate;
    most = Math.min(capacity, most + (time - now) * rate);
    least += (time - now) * (rate - GRAIN / SECOND);
    // What flows over shows for how long the bucket has certainly been full.
    over = least < capacity ? 0 : over + least - capacity;
    least = Math.min(capacity, least);
    now = time;
    const slack = SLACK + (to - from) * rate;
    if (step >= 0) {
      mostThen[index] = most;
      leastThen[index] = least;
      begunThen[index] = begun;
      endedThen[index] = ended;
      overThen[index] = Math.min(over, slack);
      if (fate === 'refused') continue;
      begun++;
      least -= 1 + GRAIN;
      if (fate === 'accepted') underway++;
      continue;
    }
    if (fate === 'refused') {
      const left = (leastThen[index] ?? 0) + (overThen[index] ?? 0) - (begun - (begunThen[index] ?? 0)) - slack;
      // A bucket that is full has at least one, whatever its size.
      if (left >= 1) return { needs: 'less' };
      most = Math.min(most, 1 + slack + underway);
      refusedLast = true;
      continue;
    }
    const overlapping = begun - (endedThen[index] ?? 0) - 1;
    ended++;
    if (fate === 'maybe') continue;
    underway--;
    const before = Math.min(capacity, mostThen[index] ?? 0) + slack;
    if (before < 1) return { needs: 'more' };
    if (refusedLast && overlapping === 0 && before < NEARLY_EMPTY) drips++;
    refusedLast = false;
    if (event.remaining !== null) {
      const low = (leastThen[index] ?? 0) - (begun - (begunThen[index] ?? 0)) - slack;
      // If it leaks in whole requests, the last of them may or may not have leaked already.
      const fits = event.remaining >= Math.floor(low) - 1 && event.remaining <= before;
      if (!fits) untold++;
      else if (refilled >= FEWEST_REFILLED && before < capacity - 1 && before - 1 - low < FEWEST_REFILLED) told++;
    }
    most--;
    least = Math.max(least, -overlapping - SLACK);
  }
  return { needs: null, drips, told, untold };
}
