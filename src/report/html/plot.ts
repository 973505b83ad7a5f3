import { type Markup, markup } from '../markup.ts';
import type { ReportedBudget } from '../report.ts';
import { plural } from '../wording.ts';

/** In ms. Windows with a larger uncertainty of their edges are in the table, but not drawn. */
const VAGUE = 5000;

/** Start and end, in ms from the start of the run. */
export type Span = readonly [number, number];

/** When a request was sent, in ms from the start of the run, and the requirement whose failure it proves. */
export interface ProvingRequest {
  readonly time: number;
  readonly id: string;
}

/** The curves are drawn in these units and stretched to the available width; texts and strokes keep their size. */
export const WIDTH = 1000;
const HEIGHT = 100;

/**
 * One budget over time as SVG: what `X-RateLimit-Remaining` said as steps, the mechanism's prediction behind it,
 * refusals as dots below the axis, reset markers as ticks on top, windows as bands, the clock's uncertainty around
 * their edges, and the requests that prove a failure as lines. It is as wide as its container, at any width.
 *
 * @param evidence the requests that prove a failure
 * @param id unique in the page
 * @param span what the axis shows, the same in all plots of a page
 */
export function budgetPlot(
  budget: ReportedBudget,
  evidence: readonly ProvingRequest[],
  id: string,
  [low, high]: Span,
): Markup {
  const { series, limit } = budget;
  const windows = budget.windows.filter((each) => each.uncertainty <= VAGUE);
  const x = (time: number): number =>
    Math.round(((Math.min(high, Math.max(low, time)) - low) / (high - low)) * WIDTH * 10) / 10;
  const percent = (time: number): string => `${(x(time) / WIDTH) * 100}%`;
  const top = Math.max(limit, ...series.remaining.map((value) => value ?? 0));
  const y = (remaining: number): number => Math.round((1 - Math.max(0, remaining) / top) * HEIGHT * 10) / 10;
  const markers = series.markers.filter((time) => time >= low && time <= high);
  return markup`<svg class="plot" role="group" aria-labelledby="${id}-title" aria-describedby="${id}-text">
<title id="${id}-title">Budget of ${budget.key}, ${budget.kind}s</title>
<desc id="${id}-text">${describe(budget)}</desc>
<svg y="18" height="150" width="100%" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" overflow="visible">
${windows.map((window, index) => markup`<rect class="window ${index % 2 ? 'odd' : 'even'}" x="${x(window.start)}" width="${Math.max(0, x(window.end) - x(window.start))}" height="${HEIGHT}"/>`)}
${windows.slice(0, -1).map((window) => markup`<rect class="uncertain" x="${x(window.end - window.uncertainty)}" width="${Math.max(1, x(window.end + window.uncertainty) - x(window.end - window.uncertainty))}" height="${HEIGHT}"/>`)}
<path class="grid" d="M0 0H${WIDTH}M0 ${y(top / 2)}H${WIDTH}"/>
<path class="axis" d="M0 ${HEIGHT}H${WIDTH}"/>
<path class="predicted" d="${predictions(series, x, y)}"/>
${[...Map.groupBy(evidence, (each) => each.id)].map(([failure, own]) => markup`<a href="#proof-${failure}"><title>proves ${failure}</title><path class="evidence" d="${own.map(({ time }) => `M${x(time)} 0V${HEIGHT}`).join('')}"/></a>`)}
<path class="remaining" d="${steps(
    series.time.map(x),
    series.remaining.map((value) => (value === null ? null : y(value))),
  )}"/>
</svg>
${markers.map((time) => markup`<line class="marker" data-time="${time}" x1="${percent(time)}" x2="${percent(time)}" y1="8" y2="18"/>`)}
<svg y="176" height="10" width="100%" viewBox="0 0 ${WIDTH} 10" preserveAspectRatio="none" overflow="visible">
<path class="refusals" d="${dots(series, 'r', x)}"/><path class="others" d="${dots(series, 'o', x)}"/><path class="unanswered" d="${dots(series, 'u', x)}"/>
</svg>
<g class="labels"><text x="-8" y="22" text-anchor="end">${top}</text><text x="-8" y="97" text-anchor="end">${Math.round(top / 2)}</text><text x="-8" y="172" text-anchor="end">0</text>
<g class="ticks">${ticks(low, high).map((time) => markup`<text x="${percent(time)}" y="206" text-anchor="middle">${time / 1000} s</text>`)}</g></g>
</svg>`;
}

/** The plot in words, for readers who cannot see it. */
function describe(budget: ReportedBudget): string {
  const { series, windows } = budget;
  const remaining = series.remaining.filter((value) => value !== null);
  return [
    `${plural(budget.requests, 'request')}: ${budget.accepted} accepted, ${budget.refused} refused, limit ${budget.limit}.`,
    remaining.length === 0 ? 'No remaining value was sent.' : `Remaining fell to ${Math.min(...remaining)}.`,
    ...windows
      .slice(0, 6)
      .map(
        (each) =>
          `Window from ${seconds(each.start)} to ${seconds(each.end)}: ${each.accepted} accepted, ${each.refused} refused.`,
      ),
  ].join(' ');
}

function seconds(time: number): string {
  return `${Math.round(time / 100) / 10} s`;
}

/**
 * From the first request of all budgets to the last, with a little room; windows that began before or end later are cut
 * off.
 */
export function spanOf(budgets: readonly ReportedBudget[]): Span {
  const first = Math.min(...budgets.map(({ series }) => series.time[0] ?? 0));
  const last = Math.max(...budgets.map(({ series }) => series.time.at(-1) ?? 0));
  const room = Math.round(Math.max(500, (last - first) * 0.02));
  return [first - room, last + room];
}

/** A step line; points that change nothing are left out. */
function steps(xs: readonly number[], ys: readonly (number | null)[]): string {
  const known = xs.map((x, index) => ({ x, y: ys[index] ?? null })).filter(({ y }) => y !== null);
  const path = known.map(({ x, y }, index) => {
    const before = known[index - 1];
    return before ? (before.y === y ? '' : `H${x}V${y}`) : `M${x} ${y}`;
  });
  return known.length === 0 ? '' : `${path.join('')}H${known.at(-1)?.x}`;
}

/**
 * The mechanism's prediction: a line from request to request if the value is exact, and a bar at the moment of the
 * request if concurrent requests allow several values.
 */
function predictions(
  series: ReportedBudget['series'],
  x: (time: number) => number,
  y: (value: number) => number,
): string {
  const points = series.time.flatMap((time, index) => {
    const low = series.predictedLow[index] ?? null;
    const high = series.predictedHigh[index] ?? null;
    return low === null || high === null ? [] : [{ x: x(time), low: y(low), high: y(high) }];
  });
  let path = '';
  points.forEach((point, index) => {
    const before = points[index - 1];
    const next = points[index + 1];
    const exact = point.low === point.high;
    const repeats = exact && point.low === before?.low && point.low === before.high;
    if (repeats && next?.low === point.low && next.high === point.high) return;
    if (repeats) path += `H${point.x}`;
    else path += `M${point.x} ${point.low}V${point.high}`;
    if (exact && next) path += `H${next.x}`;
  });
  return path;
}

/** Zero-length strokes with round caps: these dots stay round when the drawing is stretched. */
function dots(series: ReportedBudget['series'], outcome: string, x: (time: number) => number): string {
  return series.time.flatMap((time, index) => (series.outcome[index] === outcome ? [`M${x(time)} 5h0`] : [])).join('');
}

/** About six round times between `low` and `high`, in ms. */
function ticks(low: number, high: number): number[] {
  const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200].map((each) => each * 1000);
  const step = steps.find((each) => (high - low) / each <= 6) ?? 14_400_000;
  const first = Math.ceil(low / step) * step;
  return Array.from({ length: Math.floor((high - first) / step) + 1 }, (_, index) => first + index * step);
}
