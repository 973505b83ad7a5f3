import type { RequirementId } from '../catalogue/requirement.ts';
import texts from './guidance.json' with { type: 'json' };

/** What a reader of a failed verdict needs besides its proof. Each text is a paragraph, in which back-ticks mark code. */
export interface Guidance {
  /** What a failure says of the deployment. */
  readonly meaning: string;
  /** How deployments usually come to have it, the most frequent first. */
  readonly causes: readonly string[];
  readonly remedies: readonly string[];
}

/** IDs of requirements that can fail: all but the observed ones. */
type FallibleId = Exclude<RequirementId, `${string}-O${number}`>;

/**
 * The same in every report, and the hand-written part of each page under `docs/requirements`. A requirement without an
 * entry is a type error.
 */
const GUIDANCE: Readonly<Record<FallibleId, Guidance>> = texts;

/** The guidance on a requirement; null for one that cannot fail. */
export function guidanceOn(id: RequirementId): Guidance | null {
  return isFallible(id) ? GUIDANCE[id] : null;
}

function isFallible(id: RequirementId): id is FallibleId {
  return Object.hasOwn(GUIDANCE, id);
}
