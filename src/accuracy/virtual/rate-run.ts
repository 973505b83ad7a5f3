import type { Judgement } from '../../judge/judgement.ts';
import type { DrawnRun, RunKind } from './draw-run.ts';

/** What was said of a run at random, beside the truth. */
export interface RandomOutcome {
  readonly seed: number;
  readonly kind: RunKind;
  /** The deviations drawn, or the limiter from outside; empty where nothing deviates. */
  readonly deviations: readonly string[];
  readonly what: string;
  readonly broken: readonly string[];
  readonly failed: readonly string[];
  readonly inconclusive: readonly string[];
  /** Whether anything fails on the exact moments of decision; null where that was not asked, since nothing deviates. */
  readonly refutedExactly: boolean | null;
  /** Every requirement that is broken, and shows on exact moments, fails, and none that is not. */
  readonly named: boolean;
  /** Requirements that fail and are kept. */
  readonly wrong: readonly string[];
  /** Requirements that are broken and pass, though exact moments show it. */
  readonly passed: readonly string[];
  /** CPU seconds of judging the recorded run. */
  readonly seconds: number;
}

/** What has no deviation may be broken by nothing. */
export function isFalseFailure({ broken, deviations, failed }: RandomOutcome): boolean {
  return deviations.length === 0 && broken.length === 0 && failed.length > 0;
}

/**
 * Compares what was said of a run with the truth.
 *
 * @param recorded the judgement of what was recorded
 * @param exact the judgement of the exact moments of decision; null where nothing deviates
 */
export function rateRun(drawn: DrawnRun, recorded: Judgement, exact: Judgement | null, seconds: number): RandomOutcome {
  const { seed, kind, broken, mayFollow, what, deployment, stranger } = drawn;
  const failed = idsOf(recorded, 'fail');
  const shown = exact === null ? [] : idsOf(exact, 'fail');
  const seen = broken.filter((id) => shown.includes(id));
  // Which requirements a limiter from outside breaks is not known: only that it may not pass.
  const allowed = new Set<string>([...broken, ...mayFollow]);
  const wrong = stranger === null ? failed.filter((id) => !allowed.has(id)) : [];
  const due = seen.length > 0 ? seen : broken;
  return {
    seed,
    kind,
    deviations: stranger === null ? deployment.deviations.map(({ operator }) => operator) : [stranger],
    what,
    broken,
    failed,
    inconclusive: idsOf(recorded, 'inconclusive'),
    refutedExactly: exact === null ? null : shown.length > 0,
    named: failed.length > 0 && wrong.length === 0 && due.every((id) => failed.includes(id)),
    wrong,
    passed: seen.filter((id) => idsOf(recorded, 'pass').includes(id)),
    seconds,
  };
}

function idsOf({ verdicts }: Judgement, verdict: 'fail' | 'inconclusive' | 'pass'): string[] {
  return verdicts.filter((each) => each.verdict === verdict).map(({ id }) => id);
}
