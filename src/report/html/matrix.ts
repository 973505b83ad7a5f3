import { isShown } from '../causes.ts';
import { type Markup, markup, prose } from '../markup.ts';
import type { Report, ReportedVerdict } from '../report.ts';
import { bySection, judged, sectionOf, verdictCounts, withCommas } from '../wording.ts';
import { links, type Section, sign, verdictClass } from './parts.ts';

/** Parts shown beside a pass; HDR-1 has one for each of seven statuses. */
const PARTS_SHOWN = 7;

/**
 * Every judged requirement with its verdict, level and clause. The filters are links to empty anchors that come before
 * the table: the style sheet hides the other rows while one of them is the URL's target.
 */
export function matrixSection(report: Report): Section {
  const requirements = judged(report);
  const filters = [
    ...verdictCounts(report).map(({ name, count }) => ({ id: `only-${name.replaceAll(' ', '-')}`, text: name, count })),
    ...(['fixed', 'derived'] as const).map((level) => ({
      id: `only-${level}`,
      text: level,
      count: requirements.filter((each) => each.level === level).length,
    })),
  ];
  const body = markup`${filters.map(({ id }) => markup`<span class="filter" id="${id}"></span>`)}
<p class="filters" role="group" aria-label="Show only"><a href="#requirements" class="to-all">all <b>${requirements.length}</b></a>${filters.map(({ id, text, count }) => markup`<a href="#${id}" class="to-${id}">${text} <b>${count}</b></a>`)}</p>
<div class="matrix">
<table>
<thead><tr><th scope="col">Verdict</th><th scope="col">Requirement</th><th scope="col">Level</th><th scope="col">Clause</th><th scope="col" class="number">Witnesses</th></tr></thead>
${[...bySection(report).values()].map((members) => group(members, report.result.obstacle !== null))}</table>
</div>`;
  return { id: 'requirements', title: 'Requirements', body };
}

function group(members: readonly ReportedVerdict[], alike: boolean): Markup | null {
  const [first] = members;
  if (!first) return null;
  const section = sectionOf(first);
  return markup`<tbody>
<tr class="group"><th scope="rowgroup" colspan="5">${section.title} <span>section ${section.number}</span></th></tr>
${members.map((each) => row(each, alike))}</tbody>
`;
}

/** `alike`: all have the same cause, which the head of the page tells once. */
function row(verdict: ReportedVerdict, alike: boolean): Markup {
  return markup`<tr id="row-${verdict.id}" class="${verdictClass(verdict.verdict)} level-${verdict.level}">
<td class="verdict">${sign(verdict.verdict)} ${verdict.verdict}</td>
<th scope="row"><span class="id">${isShown(verdict) ? markup`<a href="#failure-${verdict.id}">${verdict.id}</a>` : verdict.id}</span> ${verdict.title}
${!alike && markup`<p class="said">${prose(verdict.summary)}</p>`}
${verdict.suppressedBy.length > 0 && markup`<p class="said">Not judged because of ${links(verdict.suppressedBy)}.</p>`}
${verdict.notes.map((note) => markup`<p class="said note">${prose(note)}</p>`)}
${parts(verdict)}</th>
<td class="level">${verdict.level}</td>
<td class="clause">${verdict.clauses.join(', ')}</td>
<td class="number witnesses">${withCommas(verdict.witnesses)}</td>
</tr>
`;
}

/** The parts of a verdict; many of them are folded away where there is nothing to look for. */
function parts(verdict: ReportedVerdict): Markup | null {
  const { length } = verdict.parts;
  // One part that has no name of its own says what the row says.
  if (length === 0 || (length === 1 && verdict.parts[0]?.name === 'all')) return null;
  const list = markup`<ul class="parts">${verdict.parts.map((part) => markup`<li class="${verdictClass(part.verdict)}" title="${part.summary}">${sign(part.verdict)} ${part.name}<span class="unseen">: ${part.verdict}</span></li>`)}</ul>`;
  if (verdict.verdict !== 'pass' || length <= PARTS_SHOWN) return list;
  const passed = verdict.parts.filter((each) => each.verdict === 'pass').length;
  return markup`<details class="folded"><summary>${passed === length ? `all ${length} parts pass` : `${passed} of ${length} parts pass, none fails`}</summary>${list}</details>`;
}
