import { caveats } from '../caveats.ts';
import { findingsOf } from '../findings.ts';
import { leftOpen } from '../left-open.ts';
import { type Markup, markup, prose } from '../markup.ts';
import type { Report, ReportedVerdict } from '../report.ts';
import { bySection, duration, headline, outcomeOf, overallWord, plural } from '../wording.ts';
import { links, type Section, sign, verdictClass } from './parts.ts';

/** The page's tone: the colour for the verdict of the run. */
export function toneOf(report: Report): string {
  const tones = { conforms: 'pass', 'does not conform': 'fail', incomplete: 'open', inconclusive: 'open' } as const;
  const outcome = outcomeOf(report);
  return `tone-${outcome === 'partial' ? outcome : tones[outcome]}`;
}

/** The head of the page: the verdict, the one sentence, what to change, and the tape of all requirements. */
export function summaryHeader(report: Report): Markup {
  const warnings = caveats(report);
  return markup`<header class="summary">
<div class="inner">
<p class="overline">Size Chart Service API v1 <span>conformance report</span></p>
<h1>${overallWord(report)}</h1>
<p class="lead">${headline(report)}</p>
${failing(report)}
${warnings.length > 0 && markup`<ul class="caveats">\n${warnings.map((each) => markup`<li>${prose(each)}</li>\n`)}</ul>`}
${tape(report)}
<dl class="facts">
<div><dt>Target</dt><dd>${report.target.baseUrl}</dd></div>
<div><dt>Run</dt><dd><time datetime="${report.run.started}">${report.run.started.slice(0, 16).replace('T', ' ')} UTC</time>, ${duration(report.run.seconds)}</dd></div>
<div><dt>Traffic</dt><dd>${plural(report.conditions.requests, 'request')}</dd></div>
<div><dt>Suite</dt><dd>${report.suite.version}</dd></div>
<div><dt>Certificate</dt><dd>${report.result.certifiable ? 'can be given' : 'cannot be given'}</dd></div>
</dl>
</div>
</header>`;
}

/** A tape measure with one mark per requirement, in the order of the specification: long marks where to look. */
function tape(report: Report): Markup {
  return markup`<ol class="tape" aria-label="All requirements in the order of the specification">
${[...bySection(report)].map(([title, members]) => markup`<li style="flex-grow:${members.length}"><span class="tape-title">${title}</span><span class="marks">${members.map(tapeMark)}</span></li>\n`)}</ol>`;
}

/** One line for each failure: the first screen of a failing report says what to change. */
function failing(report: Report): Markup | null {
  const findings = findingsOf(report);
  if (findings.length === 0) return null;
  return markup`<ul class="failing" aria-label="What fails">
${findings.map(({ verdict, sentence, looksLike }) => markup`<li class="${verdictClass(verdict.verdict)}">${sign(verdict.verdict)} <a class="id" href="#failure-${verdict.id}">${verdict.id}</a> <span>${prose(sentence)}${verdict.verdict === 'waived' && ' (waived)'}${looksLike.map((name) => markup` <b>Looks like ${prose(name)}.</b>`)}</span></li>\n`)}</ul>`;
}

function tapeMark(verdict: ReportedVerdict): Markup {
  const target = verdict.verdict === 'fail' ? 'failure' : 'row';
  return markup`<a class="${verdictClass(verdict.verdict)}" href="#${target}-${verdict.id}" title="${verdict.id}: ${verdict.verdict}"><span class="unseen">${verdict.id}: ${verdict.verdict}</span></a>`;
}

/** What was left open, and what to do about it. */
export function openSection(report: Report): Section | null {
  const items = leftOpen(report);
  if (items.length === 0) return null;
  const body = markup`<ul class="open">
${items.map(({ verdict, ids, advice }) => markup`<li><span class="${verdictClass(verdict)} word">${verdict}</span> ${links(ids)}<br>${prose(advice)}</li>\n`)}</ul>`;
  return { id: 'open', title: 'Left open', body };
}
