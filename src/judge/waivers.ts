import { isRequirementId } from '../catalogue/catalogue.ts';
import type { Waiver } from '../profile/profile.ts';
import type { WaiverProblem } from './judgement.ts';
import type { Opinion, Verdict } from './verdict.ts';

/** A verdict after the profile's waivers: failing parts that they cover are `waived`, and the whole only where nothing else fails. */
export type Waived = Pick<Verdict, 'verdict' | 'parts' | 'waiver'>;

/** @param today the day of the run (UTC) as an ISO date; a waiver holds up to and including its `until` */
export function waive(opinion: Opinion, waivers: readonly Waiver[], today: string): Waived {
  const parts = opinion.parts ?? [];
  const valid = waivers.filter((each) => each.requirement === opinion.id && each.until >= today);
  const [first] = valid;
  if (opinion.verdict !== 'fail' || !first) return { verdict: opinion.verdict, parts, waiver: null };
  const whole = valid.find((each) => each.part === null);
  const covered = (name: string): boolean => whole !== undefined || valid.some((each) => each.part === name);
  const failing = parts.filter((part) => part.verdict === 'fail');
  const waived = failing.filter((part) => covered(part.name));
  const everything = whole !== undefined || (failing.length > 0 && waived.length === failing.length);
  const used = whole ?? valid.find((each) => waived.some((part) => part.name === each.part));
  return {
    verdict: everything ? 'waived' : 'fail',
    parts: parts.map((part) => (waived.includes(part) ? { ...part, verdict: 'waived' } : part)),
    waiver: used ? { reason: used.reason, until: used.until } : null,
  };
}

/**
 * Waivers in error: one that names no requirement or has ended, and one whose requirement or part was judged and does not fail. What was not
 * judged in this run can neither bear a waiver out nor refute it.
 *
 * @param opinions of the selected requirements, before any waiver
 */
export function waiverProblems(
  waivers: readonly Waiver[],
  opinions: ReadonlyMap<string, Opinion>,
  today: string,
): WaiverProblem[] {
  return waivers.flatMap((waiver): WaiverProblem[] => {
    const name = waiver.part === null ? waiver.requirement : `${waiver.requirement} (${waiver.part})`;
    const problem = (code: WaiverProblem['code'], text: string, remedy: string): WaiverProblem[] => [
      { code, requirement: waiver.requirement, part: waiver.part, text, remedy },
    ];
    if (!isRequirementId(waiver.requirement)) {
      return problem(
        'waiver-unknown',
        `a waiver names ${waiver.requirement}, which is not a requirement`,
        'correct or remove the waiver',
      );
    }
    if (waiver.until < today) {
      return problem(
        'waiver-expired',
        `the waiver of ${name} ended on ${waiver.until}`,
        'fix the deployment, or renew the waiver',
      );
    }
    const opinion = opinions.get(waiver.requirement);
    if (!opinion || matches(opinion, waiver) !== 'no') return [];
    return problem('waiver-unmatched', `the waiver of ${name} matches no failure`, 'remove the waiver');
  });
}

function matches(opinion: Opinion, waiver: Waiver): 'yes' | 'no' | 'not judged' {
  if (waiver.part === null) {
    return opinion.verdict === 'fail' ? 'yes' : opinion.verdict === 'pass' ? 'no' : 'not judged';
  }
  const part = (opinion.parts ?? []).find((each) => each.name === waiver.part);
  if (part) return part.verdict === 'fail' ? 'yes' : part.verdict === 'pass' ? 'no' : 'not judged';
  return opinion.verdict === 'pass' || opinion.verdict === 'fail' ? 'no' : 'not judged';
}
