import type { RequirementId } from '../catalogue/requirement.ts';

/** `good`: as the profile says; `bad`: otherwise; `open`: not seen, or nothing can be said of it. */
export type Standing = 'good' | 'bad' | 'open';

/** What was found of one key, operation, probe or header. */
export interface Finding {
  readonly subject: string;
  readonly standing: Standing;
  readonly text: string;
}

/** What is said of what was not sent, since something before it failed. */
export const NOT_TRIED = 'not tried';

export interface KeyFinding extends Finding {
  readonly alias: string;
}

export interface Testability {
  readonly id: RequirementId;
  readonly testable: boolean;
  /** What is missing, as things to do; empty where it is testable. */
  readonly todo: readonly string[];
  /** A certificate can be given without it. */
  readonly optional: boolean;
}

/** What an examination of a target has shown. */
export interface Diagnosis {
  /** Why nothing could be tried; null where something could. */
  readonly obstacle: string | null;
  /** Requests that may have arrived, so that the deployment may have counted them. */
  readonly requests: number;
  readonly keys: readonly KeyFinding[];
  readonly operations: readonly Finding[];
  readonly probes: readonly Finding[];
  readonly headers: readonly Finding[];
  readonly requirements: readonly Testability[];
  /** What certify will take: requests at most, and about so many seconds; and how many the profile allows (null: any number). */
  readonly cost: { readonly requests: number; readonly seconds: number; readonly allowed: number | null };
  /** Every operation and probe that a run sends did as the profile says: none of them can fail a deployment that conforms. */
  readonly sound: boolean;
  /** It is sound, and nothing that a certificate needs is missing. */
  readonly ready: boolean;
}
