import { guidanceOn } from '../guidance.ts';
import { type Markup, markup, prose } from '../markup.ts';
import type { Report, ReportedVerdict } from '../report.ts';

/**
 * What a failure means, how deployments usually come to have it, and what to do. It is part of the page, so that a report
 * that was sent on explains itself.
 */
export function guidance(verdict: ReportedVerdict, report: Report): Markup | null {
  const own = guidanceOn(verdict.id);
  if (!own) return null;
  const linked = (text: string): Markup[] => withLinks(text, verdict, report);
  return markup`<details class="guidance"><summary>What it means, how it usually comes about, what to do</summary>
<p>${linked(own.meaning)}</p>
<div class="columns"><div><h4>Usual causes</h4><ul>${own.causes.map((each) => markup`<li>${linked(each)}</li>`)}</ul></div>
<div><h4>What to do</h4><ul>${own.remedies.map((each) => markup`<li>${linked(each)}</li>`)}</ul></div></div>
</details>`;
}

/** Names of other requirements become links to where this report has them. */
function withLinks(text: string, own: ReportedVerdict, report: Report): Markup[] {
  const known = new Map(report.verdicts.map((each) => [each.id as string, each]));
  return text.split(/\b((?:AUTH|STATUS|HDR|LIMIT|VERSION)-[A-Z0-9]+)\b/).map((part, index) => {
    const other = index % 2 === 1 && part !== own.id ? known.get(part) : undefined;
    return other ? markup`<a href="#${other.proofs.length > 0 ? 'failure' : 'row'}-${part}">${part}</a>` : prose(part);
  });
}
