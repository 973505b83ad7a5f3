import { quote } from '../../replay/curl.ts';
import { type Markup, markup, prose } from '../markup.ts';
import type { Report } from '../report.ts';
import { silenceText } from '../requests-text.ts';
import { duration, milliseconds, plural, programOf, withCommas } from '../wording.ts';
import { code, type Section, table } from './parts.ts';

/** Known deviations that the vendor has waived, with the days left for each. */
export function waiversSection(report: Report): Section | null {
  if (report.waivers.length === 0) return null;
  const rows = report.waivers.map(({ requirement, part, reason, until, daysLeft, used }) => {
    const left = daysLeft < 0 ? 'expired' : plural(daysLeft, 'day');
    const place = part === null ? requirement : `${requirement} (${part})`;
    return [place, reason, until, used ? left : `${left}, covers no failure of this run`];
  });
  const body = table('Waivers', ['Requirement', 'Reason', 'Until', 'Left'], rows);
  return { id: 'waivers', title: 'Waivers', body };
}

/** The conditions of the run. */
export function conditionsSection(report: Report): Section {
  const { conditions, run } = report;
  const { skew, roundTrip, keys, timeouts } = conditions;
  const cutOff = conditions.unanswered > 0 ? { 'cut off by the end of the run': conditions.unanswered } : {};
  const named = [keys.full.join(', ') || 'none', keys.restricted && 'restricted', keys.revoked && 'revoked'];
  const rows = {
    Length: `${duration(run.seconds)}, ${run.outcome}, ${run.scale === 1 ? 'in real time' : `${run.scale} times faster than real time`}`,
    Requests: `${plural(conditions.requests, 'request')} over ${plural(conditions.connections, 'connection')}`,
    Answers: countsText(conditions.statuses),
    'Without an answer': countsText({ ...conditions.failures, ...cutOff }) + silenceText(conditions),
    'Server clock minus ours': skew
      ? `between ${milliseconds(skew.low)} and ${milliseconds(skew.high)}`
      : 'not known (no Date header, or they contradict each other)',
    'Round trip': roundTrip
      ? `p50 ${milliseconds(roundTrip.p50)}, p99 ${milliseconds(roundTrip.p99)}, longest ${milliseconds(roundTrip.max)}`
      : 'nothing was answered',
    'Time-outs': `connect ${milliseconds(timeouts.connectMs)}, answer ${milliseconds(timeouts.responseMs)}`,
    Keys: named.filter((each) => each !== false).join(', '),
    Seed: run.seed,
    ...(run.nonce !== null && { Nonce: run.nonce }),
    'Ran on': `Node ${run.runtime.node}, ${run.runtime.platform}`,
  };
  const body = markup`<dl class="rows">${Object.entries(rows).map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>
${conditions.notes.length > 0 && markup`<h3>What happened meanwhile</h3><ul>${conditions.notes.map((each) => markup`<li>${each}</li>`)}</ul>`}
${experiments(report)}
${coverage(report)}`;
  return { id: 'conditions', title: 'Run conditions', body };
}

function experiments(report: Report): Markup | null {
  if (report.experiments.length === 0) return null;
  const omitted = report.experiments.filter((each) => each.omitted !== null).length;
  const rows = report.experiments.map(({ id, requirements, requests, seconds, omitted: reason }) => {
    const left = reason !== null && markup`<p class="said">Left out: ${prose(reason)}</p>`;
    return [id, markup`${requirements.join(', ')}${left}`, requests, duration(seconds)];
  });
  return markup`<details><summary>${plural(rows.length, 'experiment')} planned${omitted > 0 && `, ${omitted} left out`}</summary>
${table('Experiments', ['Experiment', 'For', '#Requests', '#Length'], rows)}</details>`;
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
      .map(([name, count]) => `${withCommas(count)} × ${name}`)
      .join(', ') || 'none'
  );
}

/** How much of what each requirement asks for was tried: requests that were never sent cannot be judged. */
function coverage(report: Report): Markup | null {
  if (report.coverage.length === 0) return null;
  const tried = report.coverage.reduce((sum, each) => sum + each.tried, 0);
  const possible = report.coverage.reduce((sum, each) => sum + each.possible, 0);
  const rows = report.coverage.map(({ requirement, tried, possible, untried, experiments, judge }) => {
    const more = possible - tried - untried.length;
    const left = [...untried, ...(more > 0 ? [`and ${withCommas(more)} more`] : [])].join('; ');
    return [requirement, `${withCommas(tried)} of ${withCommas(possible)}`, left, experiments.join(', '), judge];
  });
  const columns = ['Requirement', '#Tried', 'Not tried', 'Sent by', 'Judged by'];
  return markup`<details><summary>${withCommas(tried)} of ${plural(possible, 'combination')} that the requirements ask for were tried</summary>
${table('Coverage', columns, rows)}</details>`;
}
