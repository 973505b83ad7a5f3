import type { LoadSection, RampFigures } from '../load-section.ts';
import { type Markup, markup } from '../markup.ts';
import { rampSentences } from '../ramp-sentences.ts';
import type { Report } from '../report.ts';
import { capital, duration, milliseconds, plural, withCommas } from '../wording.ts';
import { type Section, table } from './parts.ts';

/** More bursts than this are folded away. */
const BURSTS_SHOWN = 4;

/** What a load run measured; absent from the report of a conformance run. */
export function loadSection(report: Report): Section | null {
  const { load } = report;
  if (!load) return null;
  return {
    id: 'load',
    title: 'Load',
    body: markup`${load.warnings.length > 0 && markup`<ul class="caveats">${load.warnings.map((each) => markup`<li>${capital(each)}</li>`)}</ul>`}
${accounting(load)}
${load.windows.length > 0 && windows(load)}
${load.latency.length > 0 && latency(load)}
${load.ramp !== null && ramp(load.ramp)}
${load.bursts.length > 0 && bursts(load)}
${load.instances.length > 1 && instances(load)}`,
  };
}

function accounting(load: LoadSection): Markup {
  const { due, sent, recorded, dropped, unanswered } = load.accounting;
  const agree = due === sent && sent === recorded;
  return markup`<dl class="facts">
<div><dt>Scenario</dt><dd>${load.scenario}, ${duration(load.seconds)}</dd></div>
<div><dt>Sent</dt><dd>${rate(load.throughput.sent)}</dd></div>
<div><dt>Accepted</dt><dd>${rate(load.throughput.accepted)}</dd></div>
<div><dt>Due, sent, recorded</dt><dd>${withCommas(due)}, ${withCommas(sent)}, ${withCommas(recorded)}${agree ? '' : ': they differ, so the figures are incomplete'}</dd></div>
<div><dt>Dropped, unanswered</dt><dd>${withCommas(dropped)}, ${withCommas(unanswered)}</dd></div>
</dl>`;
}

function windows(load: LoadSection): Markup {
  const rows = load.windows.map(({ key, kind, start, end, limit, accepted, refused, overshoot, undershoot }) => {
    const time = `${(start / 1000).toFixed(1)}–${(end / 1000).toFixed(1)} s`;
    // The limit stands at five sixths of the gauge, so that there is room to see what went over it.
    const bar = gauge(accepted / (limit * 1.2), overshoot > 0, `${accepted} of ${limit}`, 1 / 1.2);
    return [`${key} ${kind}s`, time, bar, refused, wrong(overshoot), wrong(undershoot)];
  });
  const columns = ['Key', 'Window', 'Accepted of limit', '#Refused', '#Over', '#Under'];
  return markup`<h3>Accepted against the limit, per window</h3>
${table('Windows under load', columns, rows)}
${load.windowsOmitted > 0 && markup`<p class="muted">${plural(load.windowsOmitted, 'further window')}, none of them over the limit.</p>`}`;
}

function latency(load: LoadSection): Markup {
  const rows = load.latency.map(({ status, count, p50, p90, p95, p99, p999, max }) => {
    return [status ?? 'no answer', withCommas(count), ...[p50, p90, p95, p99, p999, max].map(milliseconds)];
  });
  const columns = ['Status', '#Count', '#p50', '#p90', '#p95', '#p99', '#p99.9', '#Max'];
  return markup`<h3>Latency by status</h3>
${table('Latency by status', columns, rows)}`;
}

function ramp(figures: RampFigures): Markup {
  const { steps, knee } = figures;
  const most = Math.max(0, ...steps.map(({ p95 }) => p95 ?? 0));
  const rows = steps.map(({ rate, requests, p95, refused, failed }) => {
    const time = p95 === null ? 'no answer' : milliseconds(p95);
    const bar = gauge(most === 0 ? 0 : (p95 ?? most) / most, knee !== null && rate >= knee, time);
    return [`${rate}/s`, withCommas(requests), bar, refused, wrong(failed)];
  });
  const columns = ['#Rate', '#Requests', 'p95', '#429', '#Failed'];
  return markup`<h3>The rising rate</h3>
${rampSentences(figures).map((each) => markup`<p>${each}</p>\n`)}${table('Steps of the rising rate', columns, rows)}`;
}

/** A bar for a share from 0 to 1, with the figure beside it. @param limit where a mark stands, as a share */
function gauge(share: number, isOver: boolean, figure: string, limit?: number): Markup {
  const width = (part: number): number => Math.round(Math.min(1, part) * 120);
  const mark = limit !== undefined && markup`<line class="limit" x1="${width(limit)}" x2="${width(limit)}" y2="10"/>`;
  return markup`<span class="gauge"><svg aria-hidden="true" width="120" height="10"><rect class="track" width="120" height="10"/><rect class="${isOver ? 'over' : 'within'}" width="${width(share)}" height="10"/>${mark}</svg> ${figure}</span>`;
}

/** A count that should be 0. */
function wrong(requests: number): Markup {
  return requests > 0 ? markup`<span class="over">${requests}</span>` : markup`0`;
}

function bursts(load: LoadSection): Markup {
  const rows = load.bursts.map(({ due, requests, spread, late }) => {
    return [`${(due / 1000).toFixed(1)} s`, requests, milliseconds(spread), milliseconds(late)];
  });
  return markup`<h3>Bursts as delivered</h3>
<details${load.bursts.length <= BURSTS_SHOWN && markup` open`}><summary>${plural(load.bursts.length, 'burst')}; the most delayed one was completely sent ${milliseconds(Math.max(...load.bursts.map((each) => each.late)))} after it was due</summary>
${table('Bursts as delivered', ['#Due', '#Requests', '#Spread', '#Late'], rows)}</details>`;
}

function instances(load: LoadSection): Markup {
  const rows = load.instances.map(({ name, requests, clock }) => {
    const told = clock === null ? '—' : `${milliseconds(clock.offset)} ± ${milliseconds(clock.uncertainty)}`;
    return [name, withCommas(requests), told];
  });
  return markup`<h3>Instances merged</h3>
${table('Instances merged', ['Instance', '#Requests', '#Clock'], rows)}`;
}

function rate(perSecond: number): string {
  return `${perSecond.toLocaleString('en-US', { maximumFractionDigits: 1 })} per second`;
}
