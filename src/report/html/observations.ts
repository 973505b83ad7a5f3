import type { Observation } from '../../judge/verdict.ts';
import { type Markup, markup, prose } from '../markup.ts';
import { placeOf, wordsFor } from '../observation-name.ts';
import type { Report } from '../report.ts';
import type { Section } from './parts.ts';

/** Told by the section on the mechanism, where there is one. */
const OF_MECHANISM = new Set(['mechanism', 'counted', 'not-counted', 'limiter-clock-offset', 'window']);

/** What the specification leaves open, as found: facts, without colour, since none of them is good or bad. */
export function observationsSection(report: Report): Section | null {
  const silent = report.verdicts.filter((each) => each.level === 'observed' && each.verdict !== 'observed');
  if (report.observations.length + silent.length === 0) return null;
  const elsewhere = ({ name }: Observation): boolean =>
    report.budgets.length > 0 && OF_MECHANISM.has(placeOf(name).name);
  const told = report.observations.filter((each) => !elsewhere(each));
  const groups = Map.groupBy(told, (each) => `${each.requirement} ${placeOf(each.name).name}`);
  const body = markup`<p class="muted">What the specification leaves open. The suite measures and reports it; it never fails.${told.length < report.observations.length && markup` The mechanism, its window and what it counts are shown <a href="#mechanism">above</a>.`}</p>
<div class="scroll" tabindex="0" role="group" aria-label="Observations"><table class="observations"><thead><tr><th scope="col">What</th><th scope="col">Found</th><th scope="col">Requests</th></tr></thead>
<tbody>${[...groups.values()].map(observation)}${silent.map((each) => markup`<tr><th scope="row"><span class="id">${each.id}</span> ${each.title}</th><td colspan="2">${each.verdict}: ${prose(each.remedy ?? each.summary)}</td></tr>\n`)}</tbody></table></div>`;
  return { id: 'observations', title: 'Observations', body };
}

/** One row: what was found alike for several budgets is told once. */
function observation(group: readonly Observation[]): Markup | null {
  const [first] = group;
  if (!first) return null;
  const { name } = placeOf(first.name);
  const byValue = [...Map.groupBy(group, (each) => each.value)];
  const evidence = group.flatMap((each) => each.evidence);
  return markup`<tr><th scope="row"><span class="id">${first.requirement}</span> ${prose(wordsFor(name))}</th><td>${byValue.map(([value, members]) => markup`<div>${value}${byValue.length > 1 && markup` <span class="muted">${members.map((each) => placeOf(each.name).budget).join(', ')}</span>`}</div>`)}</td><td class="muted">${evidence
    .slice(0, 4)
    .map((seq) => `#${seq}`)
    .join(' ')}${evidence.length > 4 && ' …'}</td></tr>
`;
}
