import type { RequirementId } from '../catalogue/requirement.ts';
import { listed } from '../deployment/operator.ts';
import { hasNoAcceptedKey, isSuccess } from '../trace/exchange.ts';
import { isOfLimits } from './shown.ts';
import type { Opinion } from './verdict.ts';

/** Part of each remedy for a run in which others may have used the keys. */
export const UNSHARED = 'keys that nobody else uses';

/** Part of each text that depends on failures of the same run. `afterFailures` puts their IDs in its place. */
export const FAILURES = 'what fails';

/**
 * Requests without a good key that succeed may be charged to a key, and good ones that fail inside may not be counted.
 */
const MAY_CHARGE: ReadonlySet<RequirementId> = new Set<RequirementId>(['AUTH-1', 'AUTH-5', 'STATUS-NO5XX']);

/** Of these, requests without a good key that were let in. Their answers show that they used budgets. */
const LETS_IN: ReadonlySet<RequirementId> = new Set<RequirementId>(['AUTH-1', 'AUTH-5']);

/** If more requirements fail than this, a remedy names none of them: the report lists them anyway. */
const MOST_NAMED = 3;

/**
 * The opinion on a requirement that was left open, with words that name the failures of the run. If a budget was
 * smaller than expected, a limit that fails, a request without a good key that succeeds, or a good one that fails
 * inside, is a likelier cause than use of the keys by others, so it has to be fixed first. Where requests of the run
 * without a good key were let in, they are those others.
 *
 * @param failed the opinions that fail
 */
export function afterFailures(opinion: Opinion, failed: ReadonlyMap<RequirementId, Opinion>): Opinion {
  const { verdict, remedy } = opinion;
  if (verdict === 'pass' || verdict === 'fail' || !remedy) return opinion;
  const hiding = [...failed.values()].filter(({ id }) => isOfLimits(id) || MAY_CHARGE.has(id));
  // What they follow from hides it, of whichever section it is.
  const roots = new Set(hiding.flatMap(({ followsFrom = [] }) => followsFrom));
  const causes = [...failed.values()].filter(
    (each) =>
      (hiding.includes(each) || roots.has(each.id)) && !(each.followsFrom ?? []).some((cause) => failed.has(cause)),
  );
  if (causes.length === 0) return opinion;
  const named = causes.length > MOST_NAMED ? FAILURES : listed(causes.map(({ id }) => id));
  const summary = opinion.summary.replace(FAILURES, named);
  if (!remedy.includes(UNSHARED)) return { ...opinion, summary, remedy: remedy.replace(FAILURES, named) };
  const doors = causes.filter(letsIn).map(({ id }) => id);
  if (doors.length > 0 && opinion.byOthers) {
    return {
      ...opinion,
      summary: `This cannot be judged because of ${listed(doors)}: requests of this run without a valid key were let in, and may have used the budgets.`,
      remedy: `fix ${named} first, and run again`,
    };
  }
  const fails = named === FAILURES ? '' : `, which ${causes.length === 1 ? 'fails' : 'fail'}`;
  return { ...opinion, summary, remedy: `this may depend on ${named}${fails}: fix that first, and run again` };
}

/** Whether it fails since requests without a good key succeeded. */
function letsIn({ id, proofs = [] }: Opinion): boolean {
  return (
    LETS_IN.has(id) &&
    proofs.some(({ evidence }) => evidence.some((each) => hasNoAcceptedKey(each) && isSuccess(each.status)))
  );
}
