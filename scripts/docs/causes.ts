import type { RequirementId } from '../../src/catalogue/requirement.ts';
import { AUTHENTICATION_CAUSES } from './causes/authentication.ts';
import { HEADER_CAUSES } from './causes/headers.ts';
import { LIMIT_CAUSES } from './causes/limits.ts';
import { STATUS_CAUSES } from './causes/status.ts';

/** What a reader of a failed verdict needs besides the proof in their report. Markdown, a paragraph or a point each. */
export interface Causes {
  readonly meaning: string;
  /** How deployments usually come to have it, the most frequent first. */
  readonly causes: readonly string[];
  readonly remedies: readonly string[];
}

/** IDs of requirements that can fail: all but the observed ones. */
export type FallibleId = Exclude<RequirementId, `${string}-O${number}`>;

/** The hand-written part of each page under `docs/requirements`. A requirement without an entry is a type error. */
export const CAUSES: Readonly<Record<FallibleId, Causes>> = {
  ...AUTHENTICATION_CAUSES,
  ...STATUS_CAUSES,
  ...HEADER_CAUSES,
  ...LIMIT_CAUSES,
};
