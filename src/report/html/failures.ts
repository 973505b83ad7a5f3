import type { Exchange } from '../../trace/exchange.ts';
import { keyTexts } from '../evidence-rows.ts';
import { type Finding, findingsOf } from '../findings.ts';
import { type Markup, markup, prose } from '../markup.ts';
import { shorten } from '../printable.ts';
import { unrepeated } from '../repeated.ts';
import type { Report, ReportedProof, ReportedVerdict } from '../report.ts';
import { waiverStub } from '../waiver-stub.ts';
import { headerText, plural } from '../wording.ts';
import { isPlotted } from './budgets.ts';
import { budgetAnchor, code, links, type Section, sign, verdictClass } from './parts.ts';

/** Causes shown unfolded: the most frequent ones. */
const CAUSES_SHOWN = 2;

/** What to change first: each failure with what shows it and what to do. Waived ones too: a waiver hides nothing. */
export function failuresSection(report: Report): Section | null {
  const findings = findingsOf(report);
  if (findings.length === 0) return null;
  return { id: 'failures', title: 'What to change', body: markup`${findings.map((each) => failure(each, report))}` };
}

function failure(finding: Finding, report: Report): Markup {
  const { verdict, proof } = finding;
  const plotted = new Set(report.budgets.filter(isPlotted).map(budgetAnchor));
  return markup`<article class="failure ${verdictClass(verdict.verdict)}" id="failure-${verdict.id}" aria-labelledby="title-${verdict.id}">
<p class="overline">${sign(verdict.verdict)} <span class="id">${verdict.id}</span> <span>${verdict.title}${verdict.verdict === 'waived' && ', waived'}</span></p>
<h3 id="title-${verdict.id}">${prose(finding.sentence)}${finding.looksLike.map((name) => markup` <span class="diagnosis">Looks like ${prose(name)}.</span>`)}</h3>
<p class="required">${prose(verdict.statement)} <span class="muted">Clause ${verdict.clauses.join(', ')}, ${verdict.level}.</span></p>
${proof !== null && telling(finding, proof, plotted)}
${advice(finding, report)}
${consequences(finding)}
${verdict.proofs.length > 0 && proofs(verdict, plotted)}
${again(verdict)}
<details><summary>Waive it until it is fixed</summary>
<p>Every report shows a waived failure, and no certificate has one. Add this to the profile, or to a file of waivers:</p>
${code(waiverStub(verdict, report.run.started), `Waiver for ${verdict.id}`)}
</details>
</article>
`;
}

/** The two or three requests that show it, and the sentence that they contradict. */
function telling({ verdict, rows, conclusion }: Finding, proof: ReportedProof, plotted: ReadonlySet<string>): Markup {
  const of = proof.evidence.length + proof.evidenceOmitted;
  return markup`${rows.length > 0 && exchanges(rows, `Requests that show ${verdict.id}`, plotted)}
${conclusion !== null && markup`<p class="conclusion">${prose(conclusion)}</p>`}${rows.length < of && markup`<p class="muted">${rows.length} of the ${of} requests of the <a href="#proof-${verdict.id}">proof</a>.</p>`}`;
}

function advice({ verdict, causes, remedies, adviceOf }: Finding, report: Report): Markup | null {
  if (adviceOf) return markup`<p>Usual cause and what to do: the same as for ${links([adviceOf.id])}.</p>`;
  if (causes.length + remedies.length === 0) return null;
  const linked = (text: string): Markup[] => withLinks(text, verdict, report);
  const list = (texts: readonly string[]): Markup =>
    markup`<ul>${texts.map((each) => markup`<li>${linked(each)}</li>`)}</ul>`;
  const further = causes.slice(CAUSES_SHOWN);
  return markup`<div class="columns"><div><h4>Usual cause</h4>${list(causes.slice(0, CAUSES_SHOWN))}${further.length > 0 && markup`<details><summary>${plural(further.length, 'rarer cause')}</summary>${list(further)}</details>`}</div>
<div><h4>What to do</h4>${list(remedies)}</div></div>`;
}

/** Names of other requirements become links to where this report has them. */
function withLinks(text: string, own: ReportedVerdict, report: Report): Markup[] {
  const known = new Map(report.verdicts.map((each) => [each.id as string, each]));
  return text
    .split(/\b((?:AUTH|STATUS|HDR|LIMIT|VERSION)-[A-Z0-9]+)\b/)
    .map((part, index) =>
      index % 2 === 1 && part !== own.id && known.has(part) ? markup`${links([part])}` : prose(part),
    );
}

/** What the same requests break as well, and what could not be judged: nothing of it is a defect of its own. */
function consequences({ consequences }: Finding): Markup | null {
  if (consequences.length === 0) return null;
  return markup`<details><summary>What follows from it: ${plural(consequences.length, 'requirement')}</summary>
<ul class="follows">${consequences.map((each) => markup`<li id="failure-${each.id}" class="${verdictClass(each.verdict)}">${sign(each.verdict)} <span class="id">${links([each.id])}</span> ${each.title}: ${each.verdict === 'fail' ? 'the same requests show it' : prose(each.summary)}.</li>`)}</ul></details>`;
}

/** The whole argument: the first proof is the shortest. */
function proofs(verdict: ReportedVerdict, plotted: ReadonlySet<string>): Markup {
  const count = verdict.proofs.length + verdict.proofsOmitted;
  const places = [...new Set(verdict.proofs.map(placeOf))].filter((each) => each !== '');
  return markup`<details id="proof-${verdict.id}"><summary>${count === 1 ? 'The proof' : `${count} proofs`}${places.length > 0 && `: ${places.join(', ')}`}</summary>
${verdict.proofs.map((each, index) => proofOf(each, index, verdict, plotted))}
${verdict.proofsOmitted > 0 && markup`<p class="muted">${plural(verdict.proofsOmitted, 'more proof')} not shown here; the judgement of the trace has them.</p>`}
</details>`;
}

/** What a proof is about: the part that it breaks, or the budgets that its requests drew on. */
function placeOf({ part, evidence }: ReportedProof): string {
  const budgets = evidence.map(({ key, kind }) => (key === null ? '' : `${key} ${kind}s`));
  if (part !== undefined) return /^\d{3}$/.test(part) ? `status ${part}` : part;
  return [...new Set(budgets)].filter((each) => each !== '').join(' and ');
}

function proofOf(proof: ReportedProof, index: number, verdict: ReportedVerdict, plotted: ReadonlySet<string>): Markup {
  const { expected, received } = unrepeated(proof, verdict);
  return markup`<div class="proof">
${verdict.proofs.length > 1 && markup`<h4>Proof ${index + 1} of ${verdict.proofs.length + verdict.proofsOmitted} <span>${placeOf(proof)}</span></h4>`}
${
  (expected ?? received) !== null &&
  markup`<dl class="contrast">
${expected !== null && markup`<div><dt>Expected</dt><dd>${prose(expected)}</dd></div>`}
${received !== null && markup`<div class="received"><dt>Received</dt><dd>${shorten(received, 600)}</dd></div>`}
</dl>`
}
${proof.evidenceOmitted > 0 && markup`<p class="muted">${plural(proof.evidenceOmitted, 'earlier request')} not shown.</p>`}
${proof.evidence.length > 0 && exchanges(proof.evidence, `Evidence ${index + 1} for ${verdict.id}`, plotted)}
${proof.argument.length > 0 && markup`<ol class="argument">${proof.argument.map((each) => markup`<li>${prose(each)}</li>`)}</ol>`}
</div>
`;
}

function exchanges(rows: readonly Exchange[], label: string, plotted: ReadonlySet<string>): Markup {
  const keys = keyTexts(rows);
  return markup`<div class="scroll" tabindex="0" role="group" aria-label="${label}"><table class="evidence">
<thead><tr><th scope="col">#</th><th scope="col" class="number">Sent</th><th scope="col" class="number">Took</th><th scope="col">Key</th><th scope="col">Request</th><th scope="col">Status</th><th scope="col">Limit</th><th scope="col">Remaining</th><th scope="col">Reset</th></tr></thead>
<tbody>
${rows.map((each, index) => exchangeRow(each, keys[index] ?? '', plotted))}</tbody>
</table></div>`;
}

function exchangeRow(exchange: Exchange, key: string, plotted: ReadonlySet<string>): Markup {
  const { sent, answered, status, failure, headers } = exchange;
  const took = answered === null ? '—' : `${((answered - sent) / 1000).toFixed(1)} ms`;
  const fields = { Limit: headers.limit, Remaining: headers.remaining, Reset: headers.reset };
  return markup`<tr><td>#${exchange.seq}</td><td class="number">${moment(exchange, plotted)}</td><td class="number">${took}</td><td>${key}</td><td class="request">${exchange.method} ${shorten(exchange.target, 160)}${exchange.variation !== null && markup` <span class="muted">${exchange.variation}</span>`}</td><td class="status${status === 429 && ' refused'}">${status ?? failure ?? '—'}</td>${Object.entries(fields).map(([name, values]) => markup`<td class="field${values.length === 0 && ' absent'}" data-name="${name}">${shorten(headerText(values), 80)}</td>`)}</tr>
`;
}

/** When it was sent, as a link to where the plot of its budget shows it. */
function moment({ key, kind, sent }: Exchange, plotted: ReadonlySet<string>): Markup {
  const anchor = budgetAnchor({ key: key ?? '', kind });
  const time = markup`${(sent / 1e6).toFixed(3)} s`;
  return plotted.has(anchor) ? markup`<a href="#${anchor}">${time}</a>` : time;
}

/** How to see it again. */
function again({ id, replay, script }: ReportedVerdict): Markup | null {
  if (replay === null || script === null) return null;
  return markup`<details><summary>See it again</summary>
<p>In the folder of this run, with keys in <code>SIZE_CHART_KEYS</code>:</p>
${code(replay, `Command that sends ${id} again`)}
<p>Or without this tool, in a shell with curl 7.84 or later. Paths may name things that the run created: replace them if they no longer exist.</p>
${code(script, `Script for ${id}`)}
</details>`;
}
