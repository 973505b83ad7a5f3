import type { LoadSection, LoadWindow, RampFigures } from '../load-section.ts';
import { type Markup, markup } from '../markup.ts';
import { rampSentences } from '../ramp-sentences.ts';
import type { Report } from '../report.ts';
import { capital, duration, milliseconds, plural } from '../wording.ts';
import type { Section } from './parts.ts';

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
<div><dt>Due, sent, recorded</dt><dd>${count(due)}, ${count(sent)}, ${count(recorded)}${agree ? '' : ': they differ, so the figures are incomplete'}</dd></div>
<div><dt>Dropped, unanswered</dt><dd>${count(dropped)}, ${count(unanswered)}</dd></div>
</dl>`;
}

function windows(load: LoadSection): Markup {
  return markup`<h3>Accepted against the limit, per window</h3>
<div class="scroll" tabindex="0" role="group" aria-label="Windows under load"><table><thead><tr><th scope="col">Key</th><th scope="col">Window</th><th scope="col">Accepted of limit</th><th scope="col" class="number">Refused</th><th scope="col" class="number">Over</th><th scope="col" class="number">Under</th></tr></thead>
<tbody>${load.windows.map(windowRow)}</tbody></table></div>
${load.windowsOmitted > 0 && markup`<p class="muted">${plural(load.windowsOmitted, 'further window')}, none of them over the limit.</p>`}`;
}

function windowRow(window: LoadWindow): Markup {
  // The limit stands at five sixths of the gauge, so that there is room to see what went over it.
  const scale = (requests: number): number => Math.round(Math.min(1, requests / (window.limit * 1.2)) * 120);
  return markup`<tr><th scope="row">${window.key} ${window.kind}s</th><td>${(window.start / 1000).toFixed(1)}–${(window.end / 1000).toFixed(1)} s</td>
<td class="gauge"><svg aria-hidden="true" width="120" height="10"><rect class="track" width="120" height="10"/><rect class="${window.overshoot > 0 ? 'over' : 'within'}" width="${scale(window.accepted)}" height="10"/><line class="limit" x1="${scale(window.limit)}" x2="${scale(window.limit)}" y2="10"/></svg> ${window.accepted} of ${window.limit}</td>
<td class="number">${window.refused}</td><td class="number${window.overshoot > 0 && ' over'}">${window.overshoot}</td><td class="number${window.undershoot > 0 && ' over'}">${window.undershoot}</td></tr>
`;
}

function latency(load: LoadSection): Markup {
  return markup`<h3>Latency by status</h3>
<div class="scroll" tabindex="0" role="group" aria-label="Latency by status"><table><thead><tr><th scope="col">Status</th>${['Count', 'p50', 'p90', 'p95', 'p99', 'p99.9', 'Max'].map((name) => markup`<th scope="col" class="number">${name}</th>`)}</tr></thead>
<tbody>${load.latency.map((each) => markup`<tr><th scope="row">${each.status ?? 'no answer'}</th><td class="number">${count(each.count)}</td>${[each.p50, each.p90, each.p95, each.p99, each.p999, each.max].map((value) => markup`<td class="number">${milliseconds(value)}</td>`)}</tr>\n`)}</tbody></table></div>`;
}

function ramp(figures: RampFigures): Markup {
  const most = Math.max(0, ...figures.steps.map(({ p95 }) => p95 ?? 0));
  const width = (p95: number): number => (most === 0 ? 0 : Math.round((p95 / most) * 120));
  const beyond = (rate: number): boolean => figures.knee !== null && rate >= figures.knee;
  return markup`<h3>The rising rate</h3>
${rampSentences(figures).map((each) => markup`<p>${each}</p>\n`)}<div class="scroll" tabindex="0" role="group" aria-label="Steps of the rising rate"><table><thead><tr><th scope="col" class="number">Rate</th><th scope="col" class="number">Requests</th><th scope="col">p95</th><th scope="col" class="number">429</th><th scope="col" class="number">Failed</th></tr></thead>
<tbody>${figures.steps.map(
    (
      each,
    ) => markup`<tr><th scope="row" class="number">${each.rate}/s</th><td class="number">${count(each.requests)}</td>
<td class="gauge"><svg aria-hidden="true" width="120" height="10"><rect class="track" width="120" height="10"/><rect class="${beyond(each.rate) ? 'over' : 'within'}" width="${width(each.p95 ?? most)}" height="10"/></svg> ${each.p95 === null ? 'no answer' : milliseconds(each.p95)}</td>
<td class="number">${each.refused}</td><td class="number${each.failed > 0 && ' over'}">${each.failed}</td></tr>
`,
  )}</tbody></table></div>`;
}

function bursts(load: LoadSection): Markup {
  return markup`<h3>Bursts as delivered</h3>
<details${load.bursts.length <= BURSTS_SHOWN && markup` open`}><summary>${plural(load.bursts.length, 'burst')}; the most delayed one was completely sent ${milliseconds(Math.max(...load.bursts.map((each) => each.late)))} after it was due</summary>
<div class="scroll" tabindex="0" role="group" aria-label="Bursts as delivered"><table><thead><tr><th scope="col" class="number">Due</th><th scope="col" class="number">Requests</th><th scope="col" class="number">Spread</th><th scope="col" class="number">Late</th></tr></thead>
<tbody>${load.bursts.map((each) => markup`<tr><td class="number">${(each.due / 1000).toFixed(1)} s</td><td class="number">${each.requests}</td><td class="number">${milliseconds(each.spread)}</td><td class="number">${milliseconds(each.late)}</td></tr>\n`)}</tbody></table></div></details>`;
}

function instances(load: LoadSection): Markup {
  return markup`<h3>Instances merged</h3>
<div class="scroll" tabindex="0" role="group" aria-label="Instances merged"><table><thead><tr><th scope="col">Instance</th><th scope="col" class="number">Requests</th><th scope="col" class="number">Clock</th></tr></thead>
<tbody>${load.instances.map((each) => markup`<tr><th scope="row">${each.name}</th><td class="number">${count(each.requests)}</td><td class="number">${each.clock === null ? '—' : `${milliseconds(each.clock.offset)} ± ${milliseconds(each.clock.uncertainty)}`}</td></tr>\n`)}</tbody></table></div>`;
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}

function rate(perSecond: number): string {
  return `${perSecond.toLocaleString('en-US', { maximumFractionDigits: 1 })} per second`;
}
