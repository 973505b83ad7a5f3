import { isShown } from '../causes.ts';
import { budgetName, explain } from '../explanation.ts';
import { type Markup, markup, prose } from '../markup.ts';
import type { Mechanism, Report, ReportedBudget } from '../report.ts';
import { capital, inSentence, plural, withCommas } from '../wording.ts';
import { budgetAnchor, type Section } from './parts.ts';
import { budgetPlot, type ProvingRequest, type Span, spanOf, WIDTH } from './plot.ts';

/** The column that names the mechanism of each budget, where they differ. */
const MECHANISM = 'mechanism';

/** Budgets with fewer requests are only named. */
const WORTH_A_PLOT = 5;

export function isPlotted({ requests }: Pick<ReportedBudget, 'requests'>): boolean {
  return requests >= WORTH_A_PLOT;
}

/** One plot per key and kind on one axis of time, with the windows found as a table below it. */
export function budgetsSection(report: Report): Section | null {
  const plotted = report.budgets.filter(isPlotted);
  const scant = report.budgets.filter((each) => !isPlotted(each));
  if (plotted.length === 0) return null;
  const evidence = evidenceByBudget(report);
  const span = spanOf(plotted);
  const body = markup`<ul class="legend" aria-label="Legend"><li class="remaining">remaining, as sent</li><li class="predicted">as the mechanism predicts</li><li class="refusals">refused (429)</li><li class="others">other answer</li><li class="unanswered">no answer</li><li class="marker">X-RateLimit-Reset</li><li class="window">window found</li><li class="uncertain">its edge, as far as known</li>${[...evidence.values()].some((each) => each.length > 0) && markup`<li class="evidence">proves a failure</li>`}</ul>
<p class="hint muted" hidden>Drag over a plot to zoom all of them, double-click for the whole run. <button id="whole" hidden>Whole run</button></p>
<div class="budgets" data-low="${span[0]}" data-high="${span[1]}" data-width="${WIDTH}">
${plotted.map((budget, index) => figure(budget, evidence.get(budgetName(budget)) ?? [], `plot-${index + 1}`, span))}</div>
${scant.length > 0 && markup`<p class="muted">Not plotted, with fewer than ${WORTH_A_PLOT} requests each: ${scant.map(budgetName).join(', ')}.</p>`}
${report.budgetsOmitted > 0 && markup`<p class="muted">${plural(report.budgetsOmitted, 'further budget')} not plotted.</p>`}`;
  return { id: 'budgets', title: 'Budgets over time', body };
}

/** The requests that prove failures, by budget. */
function evidenceByBudget(report: Report): ReadonlyMap<string, readonly ProvingRequest[]> {
  const proving = report.verdicts.filter(isShown).flatMap(({ id, proofs }) =>
    proofs.flatMap(({ evidence }) => {
      return evidence.map(({ key, kind, sent }) => ({ id, time: Math.round(sent / 1000), key: key ?? '', kind }));
    }),
  );
  return Map.groupBy(proving, budgetName);
}

function figure(budget: ReportedBudget, evidence: readonly ProvingRequest[], id: string, span: Span): Markup {
  const { series } = budget;
  const looks = budget.diagnosis === null ? '' : `; ${inSentence(budget.diagnosis)}`;
  return markup`<figure class="budget${budget.mechanisms.length === 0 && ' unexplained'}" id="${budgetAnchor(budget)}" ${dataOf(budget)}>
<figcaption><b>${budget.key}</b> ${budget.kind}s <span>${withCommas(budget.accepted)} accepted, ${withCommas(budget.refused)} refused${otherAnswers(budget)} of ${withCommas(budget.requests)}, limit ${budget.limit}</span>${budget.mechanisms.length === 0 && markup`<strong>No window mechanism explains it${looks}.</strong>`} <output></output></figcaption>
<div class="frame">${budgetPlot(budget, evidence, id, span)}</div>
${
  budget.windows.length > 0 &&
  markup`<details><summary>${plural(budget.windows.length, 'window')} found</summary>
<table class="windows"><thead><tr><th scope="col" class="number">From</th><th scope="col" class="number">To</th><th scope="col" class="number">Known to</th><th scope="col" class="number">Accepted</th><th scope="col" class="number">Refused</th></tr></thead>
<tbody>${budget.windows.map((each) => markup`<tr><td class="number">${seconds(each.start)}</td><td class="number">${seconds(each.end)}</td><td class="number">± ${seconds(each.uncertainty)}</td><td class="number${each.accepted > budget.limit && ' over'}">${each.accepted}</td><td class="number">${each.refused}</td></tr>\n`)}</tbody></table><p class="muted">${notInWindows(budget)}</p></details>`
}
${series.of > series.time.length && markup`<p class="muted">${withCommas(series.time.length)} of ${plural(series.of, 'request')} drawn: at each moment the extremes, and one of each outcome.</p>`}
</figure>
`;
}

/** `, 7 with another answer (such as 400) or without one`, so that the numbers of a heading add up. */
function otherAnswers({ accepted, refused, requests }: ReportedBudget): string {
  const others = requests - accepted - refused;
  return others === 0 ? '' : `, ${withCommas(others)} with another answer (such as 400) or without one`;
}

/** Why the windows and the heading have other sums: each number can be counted again in the trace. */
function notInWindows({ accepted, refused, requests, windows }: ReportedBudget): string {
  const sum = (of: 'accepted' | 'refused'): number => windows.reduce((all, each) => all + each[of], 0);
  const [kept, others] = [
    { accepted: accepted - sum('accepted'), refused: refused - sum('refused') },
    requests - accepted - refused,
  ];
  return [
    (kept.accepted > 0 || kept.refused > 0) &&
      `${withCommas(kept.accepted)} accepted and ${withCommas(kept.refused)} refused requests of this budget are in no window of this table: all from the first burst on one connection on, because the specification does not say how such a burst is counted, and any of which it does not say whether they are counted.`,
    others > 0 &&
      `${plural(others, 'request')} with another answer or none ${others === 1 ? 'is' : 'are'} in no column. Where the deployment counts such requests, a window is spent with fewer accepted ones than the limit.`,
  ]
    .filter((each) => each !== false)
    .join(' ');
}

/**
 * What the script of the page shows where the pointer is: times as differences, since a page may have thousands of
 * them.
 */
function dataOf({ series: { time, remaining, outcome } }: ReportedBudget): Markup {
  const times = time.map((each, index) => each - (time[index - 1] ?? 0)).join(' ');
  return markup`data-times="${times}" data-remaining="${remaining.join(' ')}" data-outcome="${outcome}"`;
}

/** Which mechanism explains all histories, and what refuted the others. */
export function mechanismSection(report: Report): Section | null {
  if (report.budgets.length === 0) return null;
  const { isTold, common, told, unexplained, refuted } = explain(report);
  if (!isTold && unexplained.length === 0) return null;
  const [best] = common;
  const body = markup`<div class="mechanism">
<h3>${capital(told ?? 'No mechanism explains every budget')}</h3>
<p class="muted">${best !== undefined && (common.length === 1 ? `Explains all answers of ${plural(report.budgets.length, 'budget')}.` : `Each of these explains all answers of ${plural(report.budgets.length, 'budget')}: ${common.join('; ')}. Below and in the plots, it is taken to be the first.`)}</p>
${unexplained.length > 0 && markup`<dl class="refuted">${[...Map.groupBy(unexplained, (each) => each.diagnosis)].map(([diagnosis, budgets]) => markup`<div><dt>${diagnosis === null ? 'Explained by none' : markup`Looks like <b>${inSentence(diagnosis)}</b>`}</dt><dd>${budgets.map(budgetName).join(', ')}</dd></div>\n`)}</dl>`}
${parameters(report.budgets, best)}
${
  refuted.length > 0 &&
  markup`<h4>${best === undefined ? 'What refuted each' : 'Runners-up, and what refuted each'}</h4>
<dl class="refuted">${refuted.map((each) => markup`<div><dt>${capital(each.name)}</dt><dd>${each.argument.map((sentence, index) => markup`${index > 0 && ' '}${prose(sentence)}`)} <span class="muted">${each.budget}</span></dd></div>\n`)}</dl>`
}
</div>`;
  return { id: 'mechanism', title: 'Mechanism', body };
}

/**
 * What was inferred: a sentence where it is the same of all budgets, else one row per budget and one column per
 * parameter.
 *
 * @param name the mechanism; where none explains every budget, each budget has its own best
 */
function parameters(budgets: readonly ReportedBudget[], name: string | undefined): Markup | null {
  const rows = budgets.flatMap((budget) => {
    const mechanism = budget.mechanisms.find((each) => name === undefined || each.name === name);
    return mechanism && budget.requests >= WORTH_A_PLOT ? [{ budget, mechanism }] : [];
  });
  const names = [...new Set(rows.flatMap(({ mechanism }) => mechanism.parameters.map((each) => each.name)))];
  const value = (mechanism: Mechanism, column: string): string =>
    column === MECHANISM ? mechanism.name : (mechanism.parameters.find((each) => each.name === column)?.value ?? '—');
  const [first] = rows;
  const alike = names.filter(
    (each) =>
      rows.length > 1 && first && rows.every((row) => value(row.mechanism, each) === value(first.mechanism, each)),
  );
  const columns = [...(name === undefined ? [MECHANISM] : []), ...names.filter((each) => !alike.includes(each))];
  if (!first) return null;
  return markup`${alike.length > 0 && markup`<p class="alike">In every budget: ${alike.map((each) => `${each} ${value(first.mechanism, each)}`).join('; ')}.</p>`}
<div class="scroll" tabindex="0" role="group" aria-label="Inferred parameters"><table><thead><tr><th scope="col">Budget</th>${columns.map((each) => markup`<th scope="col">${capital(each)}</th>`)}</tr></thead>
<tbody>${rows.map(({ budget, mechanism }) => markup`<tr><th scope="row">${budgetName(budget)}</th>${columns.map((column) => markup`<td data-name="${capital(column)}">${value(mechanism, column)}</td>`)}</tr>\n`)}</tbody></table></div>`;
}

function seconds(time: number): string {
  return `${(time / 1000).toFixed(2)} s`;
}
