import type { RequirementId } from '../catalogue/requirement.ts';

/** `good`: as the profile says; `bad`: different; `open`: not seen, or not decided. */
export type Standing = 'good' | 'bad' | 'open';

/** The finding about one key, operation, probe or header. */
export interface Finding {
  readonly subject: string;
  readonly standing: Standing;
  readonly text: string;
}

/** The text for requests that were not sent because an earlier one failed. */
export const NOT_TRIED = 'not tried';

export interface KeyFinding extends Finding {
  readonly alias: string;
}

export interface Testability {
  readonly id: RequirementId;
  readonly testable: boolean;
  /** What is missing, as things to do; empty if it can be tested. */
  readonly todo: readonly string[];
  /** A certificate does not need it. */
  readonly optional: boolean;
}

/** What an examination of a target has shown. */
export interface Diagnosis {
  /** Why nothing could be tried; null if something could. */
  readonly obstacle: string | null;
  /** The number of requests that may have arrived, so the deployment may have counted them. */
  readonly requests: number;
  readonly keys: readonly KeyFinding[];
  readonly operations: readonly Finding[];
  readonly probes: readonly Finding[];
  readonly headers: readonly Finding[];
  readonly requirements: readonly Testability[];
  /**
   * What certify will take: the maximum number of requests, the approximate seconds, and how many requests the profile
   * allows (null: any number).
   */
  readonly cost: { readonly requests: number; readonly seconds: number; readonly allowed: number | null };
  /**
   * Every full key is accepted, and every operation and probe behaved as the profile says, so none can fail a
   * conforming deployment.
   */
  readonly sound: boolean;
  /** It is sound, and nothing that a certificate needs is missing. */
  readonly ready: boolean;
}
