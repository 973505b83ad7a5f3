import type { Level, RequirementId } from '../catalogue/requirement.ts';
import type { Exchange } from '../trace/exchange.ts';

/** What is said of one requirement. `observed` is for the `Observed` level alone: measured, and never a judgement. */
export type VerdictName = 'pass' | 'fail' | 'not tested' | 'inconclusive' | 'waived' | 'observed';

/** A verdict on a part of a requirement, such as HDR-1 on status 404 or LIMIT-EVADE by `forwarded-for`. */
export interface Part {
  readonly name: string;
  readonly verdict: VerdictName;
  readonly witnesses: number;
  readonly summary: string;
}

/**
 * The proof of a failure: the fewest requests that show it, and the sentences that lead from them to the contradiction.
 */
export interface Proof {
  readonly expected: string;
  readonly received: string;
  /** In order of `sent`. */
  readonly evidence: readonly Exchange[];
  /** Plain sentences over the evidence (requests are named `#seq`), the last being the contradiction. */
  readonly argument: readonly string[];
  /** What to call it where it has a name: `token bucket`, `check-then-act race` … */
  readonly diagnosis: string | null;
  /**
   * The part of the requirement that it breaks (`Part.name`), where it breaks one: what a waiver of that part covers.
   */
  readonly part?: string;
}

export interface Verdict {
  readonly id: RequirementId;
  readonly level: Level;
  readonly clauses: readonly string[];
  readonly verdict: VerdictName;
  /** One sentence. */
  readonly summary: string;
  /**
   * Of a failure that is in one part of the deployment only: this part, as words that can begin a sentence: `on writes`,
   * `on create-label`. Left out: it is everywhere, or nothing shows where it is.
   */
  readonly place?: string;
  /** What to add or do, where the verdict is `not tested` or `inconclusive`; else null. */
  readonly remedy: string | null;
  /** How many exchanges bear on it. */
  readonly witnesses: number;
  readonly parts: readonly Part[];
  /** Empty unless it fails (or is waived): the first shows what the summary says (first). */
  readonly proofs: readonly Proof[];
  /** Requirements whose failure kept this one from being judged. */
  readonly suppressedBy: readonly RequirementId[];
  /**
   * Of a failure that a known deviation explains: the requirements that this one breaks in the first place; empty where
   * it is the first. Left out where no deviation is known.
   */
  readonly followsFrom?: readonly RequirementId[];
  /** Passing, but worth knowing: a wobble within tolerance, a repeated value that a mechanism explains. */
  readonly notes: readonly string[];
  readonly waiver: { readonly reason: string; readonly until: string } | null;
}

/** What a judge of one requirement returns; `conclude` adds level, clauses, dependencies and waivers. */
export type Opinion = Pick<Verdict, 'id' | 'verdict' | 'summary'> &
  Partial<Pick<Verdict, 'remedy' | 'witnesses' | 'parts' | 'proofs' | 'followsFrom' | 'notes'>> & {
    /** It is open because others may have used the keys. */
    readonly byOthers?: boolean;
    readonly place?: string | null;
  };

/** A fact about what the specification leaves open. */
export interface Observation {
  readonly requirement: RequirementId;
  /** Stable key, such as `mechanism.read`, `reset.unit`, `both-headers.one-invalid`. */
  readonly name: string;
  readonly value: string;
  readonly evidence: readonly number[];
}
