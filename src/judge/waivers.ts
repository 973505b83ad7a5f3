import { isRequirementId } from '../catalogue/catalogue.ts';
import { listed } from '../deployment/operator.ts';
import type { Waiver } from '../profile/profile.ts';
import type { WaiverProblem } from './judgement.ts';
import type { Opinion, Verdict } from './verdict.ts';

/**
 * A verdict after the profile's waivers: failing parts that they cover are `waived`, and the whole only where nothing
 * else fails.
 */
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
 * The verdicts, where failures that follow only from waived ones are waived with them, until the first of those waivers
 * ends: the vendor has named what is wrong, and no report offers a waiver for what only follows from it.
 */
export function waiveWhatFollows(verdicts: readonly Verdict[]): readonly Verdict[] {
  const waivers = new Map(
    verdicts.flatMap(({ id, verdict, waiver }) => (verdict === 'waived' && waiver ? [[id, waiver]] : [])),
  );
  const follows = ({ verdict, followsFrom = [] }: Verdict): boolean =>
    verdict === 'fail' && followsFrom.length > 0 && followsFrom.every((id) => waivers.has(id));
  if (!verdicts.some(follows)) return verdicts;
  const settled = verdicts.map((verdict): Verdict => {
    if (!follows(verdict)) return verdict;
    const { followsFrom = [], parts } = verdict;
    const [until = ''] = followsFrom.map((id) => waivers.get(id)?.until ?? '').sort();
    const reason = `follows from ${listed(followsFrom)}, which ${followsFrom.length === 1 ? 'is' : 'are'} waived`;
    const waived = parts.map((part) => (part.verdict === 'fail' ? { ...part, verdict: 'waived' as const } : part));
    return { ...verdict, verdict: 'waived', parts: waived, waiver: { reason, until } };
  });
  return waiveWhatFollows(settled);
}

/**
 * Waivers in error: one that names no requirement or has ended, and one whose requirement or part was judged and does
 * not fail. What was not judged in this run can neither bear a waiver out nor refute it.
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
