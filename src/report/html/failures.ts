import type { Exchange } from '../../trace/exchange.ts';
import { type Markup, markup, prose } from '../markup.ts';
import { shorten } from '../printable.ts';
import type { Report, ReportedProof, ReportedVerdict } from '../report.ts';
import { waiverStub } from '../waiver-stub.ts';
import { headerText, isShown, plural } from '../wording.ts';
import { guidance } from './guidance.ts';
import type { Section } from './html-report.ts';
import { SIGN, verdictClass } from './summary.ts';

/** Each failure with its proof, and how to see it again. Waived ones too: a waiver hides nothing. */
export function failuresSection(report: Report): Section | null {
  const failures = report.verdicts.filter(isShown);
  if (failures.length === 0) return null;
  return { id: 'failures', title: 'Failures', body: markup`${failures.map((each) => failure(each, report))}` };
}

function failure(verdict: ReportedVerdict, report: Report): Markup {
  return markup`<article class="failure ${verdictClass(verdict.verdict)}" id="failure-${verdict.id}" aria-labelledby="title-${verdict.id}">
<h3 id="title-${verdict.id}"><span class="sign" aria-hidden="true">${SIGN[verdict.verdict]}</span> <span class="id">${verdict.id}</span> ${verdict.title}</h3>
${verdict.summary !== verdict.proofs[0]?.received && markup`<p class="said">${prose(verdict.summary)}</p>`}
<blockquote><p>${prose(verdict.statement)}</p><footer>Clause ${verdict.clauses.join(', ')}, ${verdict.level}</footer></blockquote>
${relations(verdict)}
${verdict.proofs.slice(0, 1).map((each) => proof(each, 0, verdict))}
${furtherProofs(verdict)}
${guidance(verdict, report)}
<details class="again"><summary>Reproduce, or waive</summary>
${verdict.replay !== null && markup`<p>Run this requirement alone against the same target:</p>${code(verdict.replay, `Command that runs ${verdict.id} alone`)}`}
<p>If it is known and will be mended, say so in the profile. A waived failure stays in every report, and there is no certificate with one:</p>
${code(waiverStub(verdict, report.run.started), `Waiver for ${verdict.id}`)}
</details>
</article>
`;
}

function relations(verdict: ReportedVerdict): Markup | null {
  const { suppresses, dependsOn } = verdict;
  if (suppresses.length === 0 && dependsOn.length === 0) return null;
  return markup`<p class="muted">${suppresses.length > 0 && markup`Keeps from being judged: ${links(suppresses)}. `}${dependsOn.length > 0 && markup`Depends on ${links(dependsOn)}.`}</p>`;
}

function links(ids: readonly string[]): Markup[] {
  return ids.map((id, index) => markup`${index > 0 && ', '}<a href="#row-${id}">${id}</a>`);
}

/** One proof is enough to see what is wrong: the first is the shortest, and the others are folded away. */
function furtherProofs(verdict: ReportedVerdict): Markup | null {
  const further = verdict.proofs.slice(1);
  if (further.length === 0) return null;
  const places = [...new Set(further.map(placeOf))].filter((each) => each !== '');
  return markup`<details class="further"><summary>${plural(further.length, 'further proof')}${places.length > 0 && `: ${places.join(', ')}`}</summary>
${further.map((each, index) => proof(each, index + 1, verdict))}
${verdict.proofsOmitted > 0 && markup`<p class="muted">${plural(verdict.proofsOmitted, 'more proof')} in the judgement of the trace, not shown here.</p>`}
</details>`;
}

/** What a proof is about: the part that it breaks, or the budgets that its requests drew on. */
function placeOf({ part, evidence }: ReportedProof): string {
  const budgets = evidence.map(({ key, kind }) => (key === null ? '' : `${key} ${kind}s`));
  if (part !== undefined) return /^\d{3}$/.test(part) ? `status ${part}` : part;
  return [...new Set(budgets)].filter((each) => each !== '').join(' and ');
}

function proof(proof: ReportedProof, index: number, verdict: ReportedVerdict): Markup {
  const label = `Evidence ${index + 1} for ${verdict.id}`;
  const several = verdict.proofs.length > 1;
  return markup`<div class="proof">
${several && markup`<h4>Proof ${index + 1} of ${verdict.proofs.length + verdict.proofsOmitted}<span>${placeOf(proof)}</span></h4>`}
${proof.diagnosis !== null && markup`<p class="diagnosis"><span>Looks like</span> ${prose(proof.diagnosis)}</p>`}
<dl class="contrast">
<div><dt>Expected</dt><dd>${prose(proof.expected)}</dd></div>
<div class="received"><dt>Received</dt><dd>${shorten(proof.received, 600)}</dd></div>
</dl>
${proof.evidence.length > 0 && evidence(proof, label)}
${proof.argument.length > 0 && markup`<ol class="argument">${proof.argument.map((sentence) => markup`<li>${prose(sentence)}</li>`)}</ol>`}
${proof.curl !== null && markup`<p class="muted">${proof.evidence.length > 1 ? 'The last of these requests' : 'The same request'}, with the key in <code>$SIZE_CHART_KEY</code>:</p>${code(proof.curl, `curl for evidence ${index + 1} of ${verdict.id}`)}`}
</div>
`;
}

function evidence(proof: ReportedProof, label: string): Markup {
  return markup`<div class="scroll" tabindex="0" role="group" aria-label="${label}"><table class="evidence">
<thead><tr><th scope="col">#</th><th scope="col" class="number">Sent</th><th scope="col" class="number">Took</th><th scope="col">Key</th><th scope="col">Request</th><th scope="col">Status</th><th scope="col">Limit</th><th scope="col">Remaining</th><th scope="col">Reset</th></tr></thead>
<tbody>
${proof.evidenceOmitted > 0 && markup`<tr><td colspan="9" class="muted">${plural(proof.evidenceOmitted, 'earlier request')} not shown</td></tr>`}${proof.evidence.map(exchangeRow)}</tbody>
</table></div>`;
}

function exchangeRow(exchange: Exchange): Markup {
  const { sent, answered, status, failure, headers } = exchange;
  const took = answered === null ? '—' : `${((answered - sent) / 1000).toFixed(1)} ms`;
  const fields = { Limit: headers.limit, Remaining: headers.remaining, Reset: headers.reset };
  return markup`<tr><td>#${exchange.seq}</td><td class="number">${(sent / 1e6).toFixed(3)} s</td><td class="number">${took}</td><td>${exchange.key ?? '—'}</td><td class="request">${exchange.method} ${shorten(exchange.target, 160)}${exchange.variation !== null && markup` <span class="muted">${exchange.variation}</span>`}</td><td class="status${status === 429 && ' refused'}">${status ?? failure ?? '—'}</td>${Object.entries(fields).map(([name, values]) => markup`<td class="field${values.length === 0 && ' absent'}" data-name="${name}">${shorten(headerText(values), 80)}</td>`)}</tr>
`;
}

/** Text to copy: one click selects all of it. */
export function code(text: string, label: string): Markup {
  const lines = text.split('\n').map((line, index) => markup`${index > 0 && { markup: '\n' }}${line}`);
  return markup`<pre tabindex="0" role="group" aria-label="${label}"><code>${lines}</code></pre>`;
}
