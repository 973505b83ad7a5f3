import type { Observation } from '../../judge/verdict.ts';
import { type Markup, markup, prose } from '../markup.ts';
import type { Report } from '../report.ts';
import type { Section } from './html-report.ts';

/** What the names of observations stand for. A name that is not here is shown as it is. */
const WORDS: Readonly<Record<string, string>> = {
  'both-headers.same': 'The same key in both headers',
  'both-headers.different': 'Two valid keys, one in each header',
  'both-headers.one-invalid': 'Valid in `X-API-Key`, invalid in `Authorization`',
  'both-headers.other-invalid': 'Invalid in `X-API-Key`, valid in `Authorization`',
  'bearer.lowercase': 'Scheme written `bearer`',
  'bearer.uppercase': 'Scheme written `BEARER`',
  'bearer.extra-space': 'Two spaces after `Bearer`',
  'header.repeated': '`X-API-Key` sent twice, with the same key',
  'key.query': 'Key in a query parameter',
  'key.cookie': 'Key in a cookie',
  'key.revoked': 'Revoked key',
  'key.spaces': 'Spaces around the key',
  'method.head': 'HEAD',
  'method.options': 'OPTIONS',
  'path.unknown': 'Path that no operation has',
  'path.case': 'Path in another case',
  'path.trailing-slash': 'Path with a slash at its end',
  'outside-prefix': 'Path outside `/api/v1`',
  'retry-after': '`Retry-After`',
  'other-headers': 'Other rate-limit headers',
  'clock.skew': 'Clock',
  'delivery.pipelined': 'Burst over one connection',
  mechanism: 'Mechanism',
  counted: 'Counted, though not a success',
  'not-counted': 'Not counted',
  'limiter-clock-offset': "Limiter's clock ahead of ours",
  'reset.unit': 'Unit of `X-RateLimit-Reset`',
  window: 'Length of the window',
};

/** Told by the section on the mechanism, where there is one. */
const OF_MECHANISM = new Set(['mechanism', 'counted', 'not-counted', 'limiter-clock-offset', 'window']);

/** What the specification leaves open, as found: facts, without colour, since none of them is good or bad. */
export function observationsSection(report: Report): Section | null {
  const silent = report.verdicts.filter((each) => each.level === 'observed' && each.verdict !== 'observed');
  if (report.observations.length + silent.length === 0) return null;
  const elsewhere = ({ name }: Observation): boolean =>
    report.budgets.length > 0 && OF_MECHANISM.has(perBudget(name).name);
  const told = report.observations.filter((each) => !elsewhere(each));
  const groups = Map.groupBy(told, (each) => `${each.requirement} ${perBudget(each.name).name}`);
  const body = markup`<p class="muted">What the specification leaves open. It is measured and reported, and never a failure.${told.length < report.observations.length && markup` The mechanism, its window and what it counts are told <a href="#mechanism">above</a>.`}</p>
<div class="scroll" tabindex="0" role="group" aria-label="Observations"><table class="observations"><thead><tr><th scope="col">What</th><th scope="col">Found</th><th scope="col">Requests</th></tr></thead>
<tbody>${[...groups.values()].map(observation)}${silent.map((each) => markup`<tr><th scope="row"><span class="id">${each.id}</span> ${each.title}</th><td colspan="2">${each.verdict}: ${prose(each.remedy ?? each.summary)}</td></tr>\n`)}</tbody></table></div>`;
  return { id: 'observations', title: 'Observations', body };
}

/** One row: what was found alike for several budgets is told once. */
function observation(group: readonly Observation[]): Markup | null {
  const [first] = group;
  if (!first) return null;
  const { name } = perBudget(first.name);
  const byValue = [...Map.groupBy(group, (each) => each.value)];
  const evidence = group.flatMap((each) => each.evidence);
  return markup`<tr><th scope="row"><span class="id">${first.requirement}</span> ${prose(WORDS[name] ?? name)}</th><td>${byValue.map(([value, members]) => markup`<div>${value}${byValue.length > 1 && markup` <span class="muted">${members.map((each) => perBudget(each.name).budget).join(', ')}</span>`}</div>`)}</td><td class="muted">${evidence
    .slice(0, 4)
    .map((seq) => `#${seq}`)
    .join(' ')}${evidence.length > 4 && ' …'}</td></tr>
`;
}

/** Observations of one budget end in its key and kind, such as `mechanism.key-1.read`. */
function perBudget(name: string): { name: string; budget: string } {
  const match = /^(.+)\.(key-\d+|restricted|revoked)\.(read|write)$/.exec(name);
  return match ? { name: match[1] ?? name, budget: `${match[2]} ${match[3]}s` } : { name, budget: '' };
}
