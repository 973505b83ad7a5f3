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

/** A cause as it is written down: where only some parts of a requirement, or some answers, tell of it, with what these are called. */
type Cause = string | { readonly text: string; readonly signs: readonly string[] };

/** IDs of requirements that can fail: all but the observed ones. */
type FallibleId = Exclude<RequirementId, `${string}-O${number}`>;

/**
 * The same in every report, and the hand-written part of each page under `docs/requirements`. A requirement without an
 * entry is a type error.
 */
const GUIDANCE: Readonly<Record<FallibleId, Omit<Guidance, 'causes'> & { readonly causes: readonly Cause[] }>> = texts;

/**
 * The guidance on a requirement; null for one that cannot fail.
 *
 * @param seen what failed, in words: causes that speak of it come first, and those that speak of something else alone last
 */
export function guidanceOn(id: RequirementId, seen = ''): Guidance | null {
  if (!isFallible(id)) return null;
  const { causes, ...rest } = GUIDANCE[id];
  const ordered = causes.toSorted((one, other) => distance(one, seen) - distance(other, seen));
  return { ...rest, causes: ordered.map(textOf) };
}

function distance(cause: Cause, seen: string): number {
  const signs = typeof cause === 'string' ? statusesIn(cause) : cause.signs;
  const isTold = seen !== '' && (typeof cause !== 'string' || statusesIn(seen).length > 0);
  if (signs.length === 0 || !isTold) return 1;
  return signs.some((each) => seen.includes(each)) ? 0 : 2;
}

function textOf(cause: Cause): string {
  return typeof cause === 'string' ? cause : cause.text;
}

function statusesIn(text: string): readonly string[] {
  return text.match(/\b[2-5]\d\d\b/g) ?? [];
}

function isFallible(id: RequirementId): id is FallibleId {
  return Object.hasOwn(GUIDANCE, id);
}
