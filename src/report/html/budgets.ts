import { type Markup, markup, prose } from '../markup.ts';
import type { Report, ReportedBudget } from '../report.ts';
import { capital, plural } from '../wording.ts';
import type { Section } from './html-report.ts';
import { budgetPlot } from './plot.ts';

/** One plot per key and kind, with the windows found as a table below it. */
export function budgetsSection(report: Report): Section | null {
  if (report.budgets.length === 0) return null;
  const body = markup`<ul class="legend" aria-label="Legend"><li class="remaining">remaining, as sent</li><li class="predicted">as the mechanism predicts</li><li class="refusals">refused (429)</li><li class="others">other answer</li><li class="unanswered">no answer</li><li class="marker">reset marker</li><li class="window">window found</li><li class="uncertain">its edge, as far as known</li></ul>
${report.budgets.map((budget, index) => figure(budget, `plot-${index + 1}`))}
${report.budgetsOmitted > 0 && markup`<p class="muted">${plural(report.budgetsOmitted, 'further budget')} not plotted.</p>`}`;
  return { id: 'budgets', title: 'Budgets over time', body };
}

function figure(budget: ReportedBudget, id: string): Markup {
  const { series } = budget;
  return markup`<figure class="budget">
<figcaption><b>${budget.key}</b> ${budget.kind}s <span>${budget.accepted} accepted, ${budget.refused} refused of ${plural(budget.requests, 'request')}, limit ${budget.limit}</span></figcaption>
<div class="frame">${budgetPlot(budget, id)}</div>
${
  budget.windows.length > 0 &&
  markup`<details><summary>${plural(budget.windows.length, 'window')} found</summary>
<table class="windows"><thead><tr><th scope="col" class="number">From</th><th scope="col" class="number">To</th><th scope="col" class="number">Accepted</th><th scope="col" class="number">Refused</th></tr></thead>
<tbody>${budget.windows.map((each) => markup`<tr><td class="number">${seconds(each.start)}</td><td class="number">${seconds(each.end)}</td><td class="number${each.accepted > budget.limit && ' over'}">${each.accepted}</td><td class="number">${each.refused}</td></tr>\n`)}</tbody></table></details>`
}
${series.of > series.time.length && markup`<p class="muted">${series.time.length.toLocaleString('en-US')} of ${plural(series.of, 'request')} drawn: of each moment the extremes, and one of each outcome.</p>`}
</figure>
`;
}

/** Which mechanism explains the histories, and what refuted the others. Budgets that say the same are named together. */
export function mechanismSection(report: Report): Section | null {
  const known = report.budgets.filter(
    (each) => each.mechanisms.length > 0 || each.refuted.length > 0 || each.diagnosis !== null,
  );
  if (known.length === 0) return null;
  const groups = Map.groupBy(
    known,
    (each) => `${each.mechanisms.map((one) => one.name).join('\n')}\n\n${each.diagnosis}`,
  );
  return { id: 'mechanism', title: 'Mechanism', body: markup`${[...groups.values()].map(mechanism)}` };
}

function mechanism(budgets: readonly ReportedBudget[]): Markup | null {
  const [first] = budgets;
  if (!first) return null;
  const [best, ...others] = first.mechanisms;
  const title =
    best?.name ??
    (first.diagnosis === null ? 'no admissible mechanism' : `none admissible: looks like ${first.diagnosis}`);
  return markup`<div class="mechanism">
<h3>${capital(title)}</h3>
<p class="muted">${budgets.map((each) => `${each.key} ${each.kind}s`).join(', ')}${others.length > 0 && `. Explained as well by: ${others.map((each) => each.name).join('; ')}`}</p>
${best && best.parameters.length > 0 && parameters(budgets)}
${
  first.refuted.length > 0 &&
  markup`<h4>Runners-up, and what refuted each${budgets.length > 1 && ` (${first.key} ${first.kind}s)`}</h4>
<dl class="refuted">${first.refuted.map((each) => markup`<div><dt>${each.name}</dt><dd>${each.argument.map((sentence, index) => markup`${index > 0 && ' '}${prose(sentence)}`)}${each.evidence.length > 0 && markup` <span class="muted">${each.evidence.map((seq) => `#${seq}`).join(' ')}</span>`}</dd></div>\n`)}</dl>`
}
</div>
`;
}

/** What was inferred, one row per budget, one column per parameter. */
function parameters(budgets: readonly ReportedBudget[]): Markup {
  const names = [...new Set(budgets.flatMap((each) => each.mechanisms[0]?.parameters.map((one) => one.name) ?? []))];
  return markup`<div class="scroll" tabindex="0" role="group" aria-label="Inferred parameters"><table><thead><tr><th scope="col">Budget</th>${names.map((name) => markup`<th scope="col">${capital(name)}</th>`)}</tr></thead>
<tbody>${budgets.map((each) => markup`<tr><th scope="row">${each.key} ${each.kind}s</th>${names.map((name) => markup`<td>${each.mechanisms[0]?.parameters.find((one) => one.name === name)?.value ?? '—'}</td>`)}</tr>\n`)}</tbody></table></div>`;
}

function seconds(time: number): string {
  return `${(time / 1000).toFixed(2)} s`;
}
