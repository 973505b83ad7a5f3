import { requirement } from '../catalogue/catalogue.ts';
import type { Judgement } from './judgement.ts';
import type { Verdict } from './verdict.ts';

type Findings = Omit<Judgement, 'overall' | 'exitCode' | 'headline' | 'certifiable'>;
type Result = Pick<Judgement, 'overall' | 'exitCode' | 'headline' | 'certifiable'>;

/**
 * What all verdicts come to. A failure decides, whatever else happened. Then whatever kept the run from its end, then
 * what stayed undecided; a run in which nothing passed is never a success. What the profile names no way to test fails
 * nobody, and blocks the certificate.
 *
 * @param command what drove the target: only a run of `certify` can be certified
 */
export function overallOf(findings: Findings, command: string): Result {
  const { counts, verdicts, obstacle } = findings;
  const reasons = blockers(findings, command);
  const result = (overall: Judgement['overall'], exitCode: 0 | 1 | 3, headline: string): Result => ({
    overall,
    exitCode,
    headline,
    certifiable: { yes: overall === 'conforms' && reasons.length === 0, reasons },
  });
  if (counts.fail > 0) {
    const failed = verdicts.filter((each) => each.verdict === 'fail').map((each) => each.id);
    const early = findings.interrupted ? '; the run was ended early' : '';
    return result(
      'does not conform',
      1,
      `does not conform: ${list(failed)} ${failed.length > 1 ? 'fail' : 'fails'}${early}`,
    );
  }
  if (obstacle) return result('inconclusive', 3, `inconclusive: ${obstacle.cause}`);
  if (findings.interrupted)
    return result('incomplete', 3, 'incomplete: the run was ended early, and nothing had failed');
  const [problem] = findings.problems;
  if (problem) return result('incomplete', 3, `incomplete: ${problem.text}: ${problem.remedy}`);
  const undecided = verdicts.filter((each) => each.verdict === 'inconclusive' && !followsFromWaiver(each, verdicts));
  if (undecided.length > 0) {
    return result('inconclusive', 3, `inconclusive: ${list(undecided.map((each) => each.id))} could not be decided`);
  }
  if (counts.pass === 0) {
    const why =
      counts.waived > 0
        ? 'everything that could be judged is waived, and a waiver is not a pass'
        : 'nothing was judged';
    return result('incomplete', 3, `incomplete: ${why}`);
  }
  return result('conforms', 0, reasons.length === 0 ? 'conforms' : `conforms, not certifiable: ${reasons.join('; ')}`);
}

/** If more requirements than this lack something, they are not named: the report lists them anyway. */
const MOST_NAMED = 8;

/** Why a run without a failure can get no certificate, each in a few words. */
function blockers({ verdicts, unselected, interrupted, scaled, problems }: Findings, command: string): string[] {
  const judged = (['fail', 'waived', 'inconclusive', 'not tested'] as const).map((name) => ({
    ids: verdicts.filter(({ verdict }) => verdict === name).map(({ id }) => id),
    what: name === 'fail' ? 'failed' : name,
  }));
  const lacking = [...judged, { ids: unselected, what: 'not selected' }];
  return [
    ...lacking.flatMap(({ ids, what }) => {
      const needed = ids.filter((id) => !requirement(id).optional);
      const spare = ids.filter((id) => requirement(id).optional && requirement(id).level !== 'observed');
      const named = needed.length > MOST_NAMED ? '' : ` (${needed.join(', ')})`;
      // So that the numbers add up to those of the headline.
      const besides = spare.length === 0 ? '' : `, not counting ${list(spare)}, which no certificate needs`;
      return needed.length === 0 ? [] : [`${needed.length} ${what}${named}${besides}`];
    }),
    ...(interrupted ? ['the run was ended early'] : []),
    ...(scaled ? ['the run took place in scaled time'] : []),
    ...(problems.length > 0 ? [`${problems.length} waivers are in error`] : []),
    ...(command === 'certify' ? [] : [`only a run of certify can be certified, but this was ${command}`]),
  ];
}

/** A requirement that only a waived one keeps from being judged leaves nothing open that the vendor has not named. */
function followsFromWaiver(verdict: Verdict, verdicts: readonly Verdict[]): boolean {
  return (
    verdict.suppressedBy.length > 0 &&
    verdict.suppressedBy.every((id) => verdicts.some((each) => each.id === id && each.verdict === 'waived'))
  );
}

function list(ids: readonly string[]): string {
  const shown = ids.slice(0, 6).join(', ');
  return ids.length > 6 ? `${shown} and ${ids.length - 6} more` : shown;
}
