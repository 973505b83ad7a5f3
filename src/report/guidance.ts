import type { RequirementId } from '../catalogue/requirement.ts';
import texts from './guidance.json' with { type: 'json' };
import { capital } from './wording.ts';

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
 * A cause or a remedy as it is written down. Where only some answers tell of it: with regular expressions for how these
 * are described. One of its signs makes it likely, one of its needs must be there, and what excludes it must not.
 */
type Cause =
  | string
  | {
      readonly text: string;
      readonly signs?: readonly string[];
      readonly needs?: readonly string[];
      readonly unless?: readonly string[];
      /** It is about the whole deployment, unless the failure is only in a part of it. */
      readonly scoped?: boolean;
    };

/** IDs of requirements that can fail: all but the observed ones. */
type FallibleId = Exclude<RequirementId, `${string}-O${number}`>;

/**
 * The same in every report, and the hand-written part of each page under `docs/requirements`. A requirement without an
 * entry is a type error.
 */
const GUIDANCE: Readonly<
  Record<FallibleId, Pick<Guidance, 'meaning'> & Readonly<Record<'causes' | 'remedies', readonly Cause[]>>>
> = texts;

/**
 * The guidance on a requirement; null for one that cannot fail.
 *
 * @param seen what failed, as `seenIn` describes it: causes that the first shows come first, and causes and remedies
 *   that fit none of them are left out
 * @param scope where in the deployment it failed, as `scopeOf` names it; null: everywhere
 */
export function guidanceOn(
  id: RequirementId,
  seen: readonly string[] = [],
  scope: string | null = null,
): Guidance | null {
  if (!isFallible(id)) return null;
  const { meaning, causes, remedies } = GUIDANCE[id];
  const [first = ''] = seen;
  const fitting = causes.filter((each) => seen.length === 0 || seen.some((one) => distance(each, one) < 2));
  const ordered = fitting.toSorted((one, other) => distance(one, first) - distance(other, first));
  return {
    meaning,
    causes: (ordered.length > 0 ? ordered : causes).map((each) => causeText(each, scope)),
    remedies: remedies.filter((each) => isMeant(each, seen)).map(textOf),
  };
}

/** Whether a remedy is for something of what was seen. Statuses in its text are those that are due. */
function isMeant(remedy: Cause, seen: readonly string[]): boolean {
  const told = seen.filter((each) => each !== '');
  return typeof remedy === 'string' || told.length === 0 || told.some((each) => distance(remedy, each) < 2);
}

/** 0: it fits what was seen; 1: nothing speaks for or against it; 2: it is about something else. */
function distance(cause: Cause, seen: string): number {
  if (seen === '') return 1;
  if (typeof cause === 'string') return distanceOfStatuses(statusesIn(cause), statusesIn(seen));
  const { text, signs, needs, unless = [] } = cause;
  if (!signs && !needs && unless.length === 0) return distanceOfStatuses(statusesIn(text), statusesIn(seen));
  const shows = (each: string): boolean => new RegExp(each).test(seen);
  if (unless.some(shows) || needs?.some(shows) === false || signs?.some(shows) === false) return 2;
  return 0;
}

/** A cause that names statuses is about these. */
function distanceOfStatuses(named: readonly string[], seen: readonly string[]): number {
  if (named.length === 0 || seen.length === 0) return 1;
  return named.some((each) => seen.includes(each)) ? 0 : 2;
}

/** What is so in a part of the deployment only must not be said of the whole. */
function causeText(cause: Cause, scope: string | null): string {
  const text = textOf(cause);
  if (scope === null || typeof cause === 'string' || !cause.scoped) return text;
  return `${capital(scope)}, ${text.charAt(0).toLowerCase()}${text.slice(1)}`;
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
