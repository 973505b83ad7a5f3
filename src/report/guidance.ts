import type { RequirementId } from '../catalogue/requirement.ts';
import texts from './guidance.json' with { type: 'json' };

/**
 * What a reader of a failed verdict needs besides its proof. Each text is a paragraph, in which back-ticks mark code.
 */
export interface Guidance {
  /** What a failure says of the deployment. */
  readonly meaning: string;
  /** How deployments usually come to have it, the most frequent first. */
  readonly causes: readonly string[];
  readonly remedies: readonly string[];
}

/**
 * A cause as it is written down. Where only some answers tell of it: with regular expressions for how these are
 * described. One of its signs makes it likely, one of its needs must be there, and what excludes it must not.
 */
type Cause =
  | string
  | {
      readonly text: string;
      readonly signs?: readonly string[];
      readonly needs?: readonly string[];
      readonly unless?: readonly string[];
    };

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
 * @param seen what failed, as `seenIn` describes it: causes that the first shows come first, and those that fit none of
 *   them are left out
 */
export function guidanceOn(id: RequirementId, seen: readonly string[] = []): Guidance | null {
  if (!isFallible(id)) return null;
  const { causes, ...rest } = GUIDANCE[id];
  const [first = ''] = seen;
  const fitting = causes.filter((each) => seen.length === 0 || seen.some((one) => distance(each, one) < 2));
  const ordered = fitting.toSorted((one, other) => distance(one, first) - distance(other, first));
  return { ...rest, causes: (ordered.length > 0 ? ordered : causes).map(textOf) };
}

/** 0: it fits what was seen; 1: nothing speaks for or against it; 2: it is about something else. */
function distance(cause: Cause, seen: string): number {
  if (seen === '') return 1;
  if (typeof cause === 'string') return distanceOfStatuses(statusesIn(cause), statusesIn(seen));
  const { signs, needs, unless = [] } = cause;
  const shows = (each: string): boolean => new RegExp(each).test(seen);
  if (unless.some(shows) || needs?.some(shows) === false || signs?.some(shows) === false) return 2;
  return 0;
}

/** A cause that names statuses is about these. */
function distanceOfStatuses(named: readonly string[], seen: readonly string[]): number {
  if (named.length === 0 || seen.length === 0) return 1;
  return named.some((each) => seen.includes(each)) ? 0 : 2;
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
