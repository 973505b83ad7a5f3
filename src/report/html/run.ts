import { quote } from '../../replay/curl.ts';
import { type Markup, markup, prose } from '../markup.ts';
import type { Report } from '../report.ts';
import { duration, milliseconds, plural, programOf } from '../wording.ts';
import { code, type Section } from './parts.ts';

/** Known deviations that the vendor has waived, with the days left for each. */
export function waiversSection(report: Report): Section | null {
  if (report.waivers.length === 0) return null;
  const body = markup`<div class="scroll" tabindex="0" role="group" aria-label="Waivers"><table><thead><tr><th scope="col">Requirement</th><th scope="col">Reason</th><th scope="col">Until</th><th scope="col">Left</th></tr></thead>
<tbody>${report.waivers.map((each) => markup`<tr><th scope="row">${each.requirement}${each.part !== null && ` (${each.part})`}</th><td>${each.reason}</td><td>${each.until}</td><td>${each.daysLeft < 0 ? 'expired' : plural(each.daysLeft, 'day')}${!each.used && ', covers no failure of this run'}</td></tr>\n`)}</tbody></table></div>`;
  return { id: 'waivers', title: 'Waivers', body };
}

/** The conditions of the run. */
export function conditionsSection(report: Report): Section {
  const { conditions, run } = report;
  const { skew, roundTrip, keys, timeouts } = conditions;
  const rows: [string, string | Markup][] = [
    [
      'Length',
      `${duration(run.seconds)}, ${run.outcome}${run.scale === 1 ? ', in real time' : `, ${run.scale} times faster than real time`}`,
    ],
    ['Requests', `${plural(conditions.requests, 'request')} over ${plural(conditions.connections, 'connection')}`],
    ['Answers', countsText(conditions.statuses)],
    [
      'Without an answer',
      countsText({
        ...conditions.failures,
        ...(conditions.unanswered > 0 ? { 'cut off by the end of the run': conditions.unanswered } : {}),
      }),
    ],
    [
      'Server clock minus ours',
      skew === null
        ? 'not known (no Date header, or they contradict each other)'
        : `between ${milliseconds(skew.low)} and ${milliseconds(skew.high)}`,
    ],
    [
      'Round trip',
      roundTrip === null
        ? 'nothing was answered'
        : `p50 ${milliseconds(roundTrip.p50)}, p99 ${milliseconds(roundTrip.p99)}, longest ${milliseconds(roundTrip.max)}`,
    ],
    ['Time-outs', `connect ${milliseconds(timeouts.connectMs)}, answer ${milliseconds(timeouts.responseMs)}`],
    [
      'Keys',
      [
        keys.full.join(', ') || 'none',
        ...(keys.restricted ? ['restricted'] : []),
        ...(keys.revoked ? ['revoked'] : []),
      ].join(', '),
    ],
    ['Seed', String(run.seed)],
    ...(run.nonce === null ? [] : ([['Nonce', run.nonce]] as [string, string][])),
    ['Ran on', `Node ${run.runtime.node}, ${run.runtime.platform}`],
  ];
  const body = markup`<dl class="rows">${rows.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>
${conditions.notes.length > 0 && markup`<h3>What happened meanwhile</h3><ul>${conditions.notes.map((each) => markup`<li>${each}</li>`)}</ul>`}
${experiments(report)}
${coverage(report)}`;
  return { id: 'conditions', title: 'Run conditions', body };
}

function experiments(report: Report): Markup | null {
  if (report.experiments.length === 0) return null;
  const omitted = report.experiments.filter((each) => each.omitted !== null).length;
  return markup`<details><summary>${plural(report.experiments.length, 'experiment')} planned${omitted > 0 && `, ${omitted} left out`}</summary>
<div class="scroll" tabindex="0" role="group" aria-label="Experiments"><table><thead><tr><th scope="col">Experiment</th><th scope="col">For</th><th scope="col" class="number">Requests</th><th scope="col" class="number">Length</th></tr></thead>
<tbody>${report.experiments.map((each) => markup`<tr><th scope="row">${each.id}</th><td>${each.requirements.join(', ')}${each.omitted !== null && markup`<p class="said">Left out: ${prose(each.omitted)}</p>`}</td><td class="number">${each.requests}</td><td class="number">${duration(each.seconds)}</td></tr>\n`)}</tbody></table></div></details>`;
}

/** How anyone can reach the same verdict: judge the recording again, or make a new one. */
export function reproduceSection(report: Report): Section {
  const { target, digests, run } = report;
  const program = programOf(report);
  const load = report.load && `load ${quote(report.load.scenario)}`;
  const command = load ?? (run.command === 'check' ? 'check' : 'certify');
  const pace = run.scale === 1 ? '' : ` --time-scale ${run.scale}`;
  const body = markup`<p>The verdicts above follow only from the recorded trace. To judge it again without a network, run this in the folder of this run:</p>
${code(`${program} judge trace.ndjson`, 'Command that judges the trace again')}
<p>Or record a new run with the same profile. Keys come from the environment variable <code>SIZE_CHART_KEYS</code>, and appear in no file:</p>
${code(`${program} ${command} --base-url ${quote(target.baseUrl)} --seed ${run.seed}${pace}`, 'Command that runs the suite again')}
<dl class="rows digests">${Object.entries({ Trace: digests.trace, Profile: digests.profile, Catalogue: digests.catalogue, 'Head of the hash chain': digests.chain ?? 'none: the trace has no end' }).map(([name, value]) => markup`<div><dt>${name}</dt><dd><code>${value}</code></dd></div>\n`)}</dl>`;
  return { id: 'reproduce', title: 'Reproduce', body };
}

function countsText(counts: Readonly<Record<string, number>>): string {
  return (
    Object.entries(counts)
      .map(([name, count]) => `${count.toLocaleString('en-US')} × ${name}`)
      .join(', ') || 'none'
  );
}

/** How much of what each requirement asks for was tried: requests that were never sent cannot be judged. */
function coverage(report: Report): Markup | null {
  if (report.coverage.length === 0) return null;
  const tried = report.coverage.reduce((sum, each) => sum + each.tried, 0);
  const possible = report.coverage.reduce((sum, each) => sum + each.possible, 0);
  return markup`<details><summary>${tried} of ${plural(possible, 'combination')} that the requirements ask for were tried</summary>
<div class="scroll" tabindex="0" role="group" aria-label="Coverage"><table><thead><tr><th scope="col">Requirement</th><th scope="col" class="number">Tried</th><th scope="col">Not tried</th><th scope="col">Sent by</th><th scope="col">Judged by</th></tr></thead>
<tbody>${report.coverage.map((each) => markup`<tr><th scope="row">${each.requirement}</th><td class="number">${each.tried} of ${each.possible}</td><td>${each.untried.join('; ')}</td><td>${each.experiments.join(', ')}</td><td>${each.judge}</td></tr>\n`)}</tbody></table></div></details>`;
}
