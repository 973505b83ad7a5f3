import type { RequirementId } from '../catalogue/requirement.ts';
import type { VerdictName } from '../judge/verdict.ts';

/** A server to run the suite against, and the expected verdicts. */
export interface Subject {
  readonly name: string;
  readonly description: string;
  readonly kind: 'conforming' | 'defective';
  readonly variant: string | null;
  readonly defect: string | null;
  readonly conditions: Conditions;
  /** At least these fail; empty for a conforming server. */
  readonly must: readonly RequirementId[];
  /** May also fail, as a consequence. */
  readonly may: readonly RequirementId[];
  /** True, or why no client can see the defect. */
  readonly observable: true | string;
}

/** The network between suite and server. */
export interface Conditions {
  readonly name: string;
  /** Added latency in ms of the run's clock. */
  readonly jitter: readonly [number, number] | null;
  /** Fraction of connections that are reset. */
  readonly resets: number;
  /** Server clock minus true time, in seconds. */
  readonly skew: number;
}

/** The suite's verdicts on it. */
export interface Outcome {
  readonly subject: Subject;
  readonly overall: string;
  readonly verdicts: Readonly<Record<string, VerdictName>>;
  readonly failed: readonly string[];
  readonly inconclusive: readonly string[];
  /** Exchanges in the shortest proof of each failure. */
  readonly proofs: readonly number[];
  readonly diagnoses: readonly string[];
  readonly requests: number;
  /** Seconds of the run's clock. */
  readonly seconds: number;
  /** Whether the written trace, read and judged again, gives the same report, byte for byte. */
  readonly repeatable: boolean;
  /** Why the run failed; null if it did not. */
  readonly error: string | null;
}

/** How an outcome compares with what the subject should show. */
export type Rating =
  | 'found'
  | 'missed'
  | 'found under another name'
  | 'conforms'
  | 'false failure'
  | 'undecided'
  | 'not observable';

/**
 * Rates an outcome. A defect is found only under a requirement that it breaks; if another requirement fails than may
 * fail, this is a false failure, on a defective server as well as on a conforming one.
 */
export function rate({ subject, failed, inconclusive, error }: Outcome): Rating {
  if (error !== null) return 'undecided';
  if (subject.kind === 'conforming') {
    if (failed.length > 0) return 'false failure';
    return inconclusive.length > 0 ? 'undecided' : 'conforms';
  }
  const allowed = new Set<string>([...subject.must, ...subject.may]);
  if (failed.some((id) => !allowed.has(id))) return 'false failure';
  if (subject.must.every((id) => failed.includes(id))) return 'found';
  if (subject.observable !== true) return 'not observable';
  return failed.length > 0 ? 'found under another name' : 'missed';
}
