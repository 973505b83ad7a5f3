import type { Exchange } from '../trace/exchange.ts';
import type { Series } from './report.ts';

/** Points of a series at most: more than a plot 1,280 px wide can tell apart. */
export const SERIES_POINTS = 600;
const MARKERS = 120;

/** Least and greatest remaining value that a mechanism allows for one exchange. */
export interface Predicted {
  readonly low: number;
  readonly high: number;
}

/** What a plot shows of one exchange. Time in ms from the start of the run. */
interface Point {
  readonly time: number;
  readonly remaining: number | null;
  readonly predicted: Predicted | null;
  readonly outcome: 'a' | 'r' | 'o' | 'u';
}

/**
 * The plotted series of one budget, thinned to `SERIES_POINTS`: time is cut into equal slots, and of each slot the first
 * and the last point stay, the lowest and the highest remaining value, the largest miss of the prediction, and one of
 * each outcome. So a long history keeps every feature that is visible at its scale.
 *
 * @param exchanges of one key and kind, in order of `sent`
 * @param predicted what the best mechanism allows, by `seq`, where it says anything
 * @param markers distinct reset markers on the run's clock, in ms
 */
export function plotSeries(
  exchanges: readonly Exchange[],
  predicted: ReadonlyMap<number, Predicted>,
  markers: readonly number[],
): Series {
  const points = thin(exchanges.map((exchange) => toPoint(exchange, predicted)));
  return {
    time: points.map((point) => point.time),
    remaining: points.map((point) => point.remaining),
    predictedLow: points.map((point) => point.predicted?.low ?? null),
    predictedHigh: points.map((point) => point.predicted?.high ?? null),
    outcome: points.map((point) => point.outcome).join(''),
    markers: every(
      [...new Set(markers)].sort((a, b) => a - b),
      MARKERS,
    ),
    of: exchanges.length,
  };
}

/** `X-RateLimit-Remaining` as a plot can use it: one integer, else null. */
export function remainingOf(exchange: Exchange): number | null {
  const [value, ...more] = exchange.headers.remaining;
  if (value === undefined || more.length > 0 || !/^\s*-?\d{1,15}\s*$/.test(value)) return null;
  return Number(value);
}

function toPoint(exchange: Exchange, predicted: ReadonlyMap<number, Predicted>): Point {
  return {
    time: Math.round(exchange.sent / 1000),
    remaining: remainingOf(exchange),
    predicted: predicted.get(exchange.seq) ?? null,
    outcome: outcomeOf(exchange.status),
  };
}

function outcomeOf(status: number | null): Point['outcome'] {
  if (status === null) return 'u';
  if (status === 429) return 'r';
  return status >= 200 && status < 300 ? 'a' : 'o';
}

/** With as many slots as the points allow: traffic in bursts leaves most slots empty, and then they can be finer. */
function thin(points: readonly Point[]): readonly Point[] {
  if (points.length <= SERIES_POINTS) return points;
  let best: Point[] = [];
  for (let slots = 60; slots < 1e6; slots *= 2) {
    const finer = inSlots(points, slots).flatMap((group) => select(points, group));
    if (finer.length > SERIES_POINTS) break;
    best = finer;
  }
  return best;
}

/** Indices of the points in each of `slots` equal stretches of time. */
function inSlots(points: readonly Point[], slots: number): readonly number[][] {
  const first = points[0]?.time ?? 0;
  const span = Math.max(1, (points.at(-1)?.time ?? 0) - first);
  const groups = new Map<number, number[]>();
  points.forEach((point, index) => {
    const slot = Math.min(slots - 1, Math.floor(((point.time - first) / span) * slots));
    const group = groups.get(slot);
    if (group) group.push(index);
    else groups.set(slot, [index]);
  });
  return [...groups.values()];
}

/** Indices of a slot that must stay, as points in order. */
function select(points: readonly Point[], group: readonly number[]): Point[] {
  const keep = new Set<number>();
  const best = (score: (point: Point) => number | null): void => {
    let winner: number | null = null;
    let highest = Number.NEGATIVE_INFINITY;
    for (const index of group) {
      const point = points[index];
      const value = point ? score(point) : null;
      if (value !== null && value > highest) {
        highest = value;
        winner = index;
      }
    }
    if (winner !== null) keep.add(winner);
  };
  const [head] = group;
  const tail = group.at(-1);
  if (head !== undefined) keep.add(head);
  if (tail !== undefined) keep.add(tail);
  best((point) => point.remaining);
  best((point) => (point.remaining === null ? null : -point.remaining));
  best(missedBy);
  for (const outcome of ['a', 'r', 'o', 'u']) best((point) => (point.outcome === outcome ? 0 : null));
  return [...keep].sort((a, b) => a - b).flatMap((index) => points[index] ?? []);
}

/** By how much a value lies outside what was predicted. */
function missedBy({ remaining, predicted }: Point): number | null {
  if (remaining === null || predicted === null) return null;
  return Math.max(predicted.low - remaining, remaining - predicted.high);
}

/** At most `limit` of the values, evenly spread, the first among them. */
function every(values: readonly number[], limit: number): number[] {
  if (values.length <= limit) return [...values];
  const step = values.length / limit;
  return Array.from({ length: limit }, (_, index) => values[Math.floor(index * step)] ?? 0);
}
