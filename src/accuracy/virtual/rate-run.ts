import type { Judgement } from '../../judge/judgement.ts';
import type { DrawnRun, RunKind } from './draw-run.ts';

/** The verdicts on a random run, with the truth. */
export interface RandomOutcome {
  readonly seed: number;
  readonly kind: RunKind;
  /** The deviations drawn, or the limiter from outside; empty where nothing deviates. */
  readonly deviations: readonly string[];
  readonly what: string;
  readonly broken: readonly string[];
  readonly failed: readonly string[];
  readonly inconclusive: readonly string[];
  /**
   * Whether anything fails with the exact moments of decision; null if that was not judged because nothing deviates.
   */
  readonly refutedExactly: boolean | null;
  /** Every broken requirement that shows with exact moments fails, and no other does. */
  readonly named: boolean;
  /** Requirements that fail although the deployment meets them. */
  readonly wrong: readonly string[];
  /** Broken requirements that pass although exact moments show the failure. */
  readonly passed: readonly string[];
  /** CPU seconds of judging the recorded run. */
  readonly seconds: number;
}

/** A deployment without a deviation breaks nothing. */
export function isFalseFailure({ broken, deviations, failed }: RandomOutcome): boolean {
  return deviations.length === 0 && broken.length === 0 && failed.length > 0;
}

/**
 * Compares the verdicts on a run with the truth.
 *
 * @param recorded the judgement of the recording
 * @param exact the judgement of the exact moments of decision; null if nothing deviates
 */
export function rateRun(drawn: DrawnRun, recorded: Judgement, exact: Judgement | null, seconds: number): RandomOutcome {
  const { seed, kind, broken, mayFollow, what, deployment, stranger } = drawn;
  const failed = idsOf(recorded, 'fail');
  const shown = exact === null ? [] : idsOf(exact, 'fail');
  const seen = broken.filter((id) => shown.includes(id));
  // It is not known which requirements a limiter from outside breaks, only that it must not pass.
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
