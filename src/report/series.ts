import type { Range } from '../oracle/history.ts';
import { singleInteger } from '../oracle/single-integer.ts';
import { type Exchange, isSuccess } from '../trace/exchange.ts';
import type { Series } from './report.ts';

/** Maximum points of a series: more than a plot 1,280 px wide can show. */
export const SERIES_POINTS = 600;
const MARKERS = 120;

/** What a plot shows of one exchange. Time in ms from the start of the run. */
interface Point {
  readonly time: number;
  readonly remaining: number | null;
  readonly predicted: Range | null;
  readonly outcome: 'a' | 'r' | 'o' | 'u';
}

/**
 * The plotted series of one budget, thinned to `SERIES_POINTS`: time is cut into equal slots, and of each slot the
 * first and the last point stay, the lowest and the highest remaining value, the largest miss of the prediction, and
 * one of each outcome. So a long history keeps every feature that is visible at its scale.
 *
 * @param exchanges of one key and kind, in order of `sent`
 * @param predicted least and greatest remaining value that the best mechanism allows, by `seq`, if it predicts anything
 * @param markers distinct reset markers on the run's clock, in ms
 */
export function plotSeries(
  exchanges: readonly Exchange[],
  predicted: ReadonlyMap<number, Range>,
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

function toPoint(exchange: Exchange, predicted: ReadonlyMap<number, Range>): Point {
  return {
    time: Math.round(exchange.sent / 1000),
    remaining: singleInteger(exchange.headers.remaining),
    predicted: predicted.get(exchange.seq) ?? null,
    outcome: outcomeOf(exchange.status),
  };
}

function outcomeOf(status: number | null): Point['outcome'] {
  if (status === null) return 'u';
  if (status === 429) return 'r';
  return isSuccess(status) ? 'a' : 'o';
}

/** Uses as many slots as the points allow: bursts leave most slots empty, so the slots can be finer. */
function thin(points: readonly Point[]): readonly Point[] {
  if (points.length <= SERIES_POINTS) return points;
  const first = points[0]?.time ?? 0;
  const span = Math.max(1, (points.at(-1)?.time ?? 0) - first);
  let best: Point[] = [];
  for (let slots = 60; slots < 1e6; slots *= 2) {
    const groups = Map.groupBy(points, ({ time }) => Math.min(slots - 1, Math.floor(((time - first) / span) * slots)));
    const finer = [...groups.values()].flatMap(select);
    if (finer.length > SERIES_POINTS) break;
    best = finer;
  }
  return best;
}

/** The points of a slot that must stay. */
function select(group: readonly Point[]): readonly Point[] {
  const highest = (score: (point: Point) => number): Point | undefined =>
    group.reduce((best, each) => (score(each) > score(best) ? each : best));
  const kept = new Set([
    group[0],
    group.at(-1),
    highest(({ remaining }) => remaining ?? Number.NEGATIVE_INFINITY),
    highest(({ remaining }) => -(remaining ?? Number.POSITIVE_INFINITY)),
    highest(missedBy),
    ...['a', 'r', 'o', 'u'].map((outcome) => group.find((point) => point.outcome === outcome)),
  ]);
  return group.filter((point) => kept.has(point));
}

/** By how much a value is outside the prediction; −Infinity if there is no value or no prediction. */
function missedBy({ remaining, predicted }: Point): number {
  if (remaining === null || predicted === null) return Number.NEGATIVE_INFINITY;
  return Math.max(predicted.low - remaining, remaining - predicted.high);
}

/** At most `limit` of the values, evenly spread, including the first. */
function every(values: readonly number[], limit: number): number[] {
  if (values.length <= limit) return [...values];
  const step = values.length / limit;
  return Array.from({ length: limit }, (_, index) => values[Math.floor(index * step)] ?? 0);
}
