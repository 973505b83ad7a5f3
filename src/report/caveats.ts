import { BAD_KEYS } from '../catalogue/key-states.ts';
import { listed } from '../deployment/operator.ts';
import { leftOutText } from './left-out-text.ts';
import type { Report } from './report.ts';
import { capital, isUndecided, outcomeOf, plural, unselected } from './wording.ts';

/** Caveats that no format may leave out, because they change the value of the verdict. */
export function caveats(report: Report): string[] {
  const { run, result, problems } = report;
  // As many as the blockers count: a certificate does without the others.
  const left = unselected(report).filter(({ optional }) => !optional).length;
  const spare = unselected(report).filter(({ optional }) => optional);
  const besides =
    spare.length === 0 ? '' : `, not counting ${listed(spare.map(({ id }) => id))}, which it does not need`;
  // A rehearsal has its own caveat, which is always among the blockers.
  const uncertifiable = result.overall === 'conforms' && result.blockers.length > (run.scale === 1 ? 0 : 1);
  const reasons = [
    result.obstacle !== null && `${result.obstacle.cause} → ${result.obstacle.remedy}`,
    run.outcome === 'interrupted' &&
      `The run was interrupted${run.interruption ? ` (${run.interruption})` : ''}: unfinished experiments are not judged.`,
    run.outcome === 'cut short' &&
      'The trace has no end: the run was killed, and unfinished experiments are not judged.',
    ...problems.map((each) => `${each.text} → ${each.remedy}`),
  ].filter((each) => each !== false);
  return [
    run.scale !== 1 &&
      `Time ran ${run.scale} times faster than real time: this is a rehearsal and certifies nothing. Only a server whose clock runs as fast (reference --time-scale ${run.scale}) can conform in it: what failed against any other says nothing.`,
    ...reasons,
    result.overall === 'incomplete' && reasons.length === 0 && `${capital(result.reason)}.`,
    left > 0 &&
      !uncertifiable &&
      `${plural(left, 'requirement')} that a certificate needs ${left === 1 ? 'was' : 'were'} not selected${besides}. The verdict is on the others.`,
    ...report.verdicts.flatMap(({ id, notes, ...auth5 }) => {
      const rests = isUndecided(auth5) ? '' : ' The verdict rests on the other forms.';
      return id === 'AUTH-5' ? notes.map((each) => `AUTH-5: ${each}${rests}`) : [];
    }),
    // A run that was ended early would have sent them again.
    ...(run.outcome === 'complete' ? leftOutText(report) : []),
    run.command === 'check' && triedInPart(report),
    outcomeOf(report) === 'conforms' && spared(report),
    uncertifiable && uncertified(report),
  ].filter((each) => each !== false);
}

/** That what passed a quick check may still fail: in one place, since it is so of nearly every requirement. */
function triedInPart({ verdicts, coverage }: Report): string | false {
  const passed = new Set(verdicts.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id));
  if (!coverage.some(({ requirement, tried, possible }) => tried < possible && passed.has(requirement))) return false;
  const wrong = BAD_KEYS.filter(({ quick }) => quick).length;
  return `check tries less than certify: ${wrong} of ${BAD_KEYS.length} forms of a wrong key, one operation of each group and kind, and a few odd requests. What passes here may fail there.`;
}

/** Why a run conforms that left something undecided. */
function spared({ verdicts }: Report): string | false {
  const ids = verdicts.filter(isUndecided).map(({ id }) => id);
  const [were, them] = ids.length === 1 ? ['was', 'it'] : ['were', 'them'];
  return (
    ids.length > 0 &&
    `${listed(ids)} ${were} not tested. A deployment conforms without ${them}: no client can provoke ${them} from outside.`
  );
}

/**
 * What it means that a run without a failure ends with exit code 0 and yet gets no certificate, and what the
 * certificate lacks.
 */
function uncertified({ result }: Report): string {
  const zero = result.exitCode === 0 ? 'Exit code 0: nothing that this run tested failed or stayed undecided. ' : '';
  return `${zero}This is not enough for a certificate: ${result.blockers.join('; ')}.`;
}
