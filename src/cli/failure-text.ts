import { requirement } from '../catalogue/catalogue.ts';
import type { RequirementId } from '../catalogue/requirement.ts';
import { conclusionOf } from '../report/findings.ts';
import type { Report } from '../report/report.ts';
import { sentence } from '../report/wording.ts';

/** The fields of a failed requirement that one or two lines show. */
interface Failure {
  readonly id: RequirementId;
  readonly summary: string;
  readonly proofs: readonly { readonly argument: readonly string[] }[];
}

/**
 * A failure as the run shows it: which requirement fails, since when (µs of the run's clock), and the contradicting
 * sentence. If only the complete run can name the requirement, the text says only what is certain.
 */
export function failureText({
  verdict,
  time,
  named = true,
}: {
  readonly verdict: Failure;
  readonly time: number | null;
  readonly named?: boolean;
}): string {
  const { id, summary, proofs } = verdict;
  const [proof] = proofs;
  const contradiction = proof ? conclusionOf(proof) : null;
  const when = time === null ? 'at the end' : `${(time / 1e6).toFixed(1)} s`;
  return [
    named
      ? `FAIL ${id} (${when}): ${sentence(summary)} Required: ${requirement(id).title}.`
      : `FAIL clause 8 (${when}): No conforming server, however it counts, gives such answers. Which requirement they break is told at the end of the run.${contradiction === null ? '' : ' The first contradiction:'}`,
    ...(contradiction === null ? [] : [`     ${contradiction}`]),
  ].join('\n');
}

/** The failures of a report that were not shown during the run, as text. */
export function failuresInTheEnd({ verdicts }: Report, shown: ReadonlySet<RequirementId>): readonly string[] {
  return verdicts
    .filter(({ id, verdict }) => verdict === 'fail' && !shown.has(id))
    .map((verdict) => failureText({ verdict, time: null }));
}
