import type { REQUIREMENTS } from './requirements.ts';

/**
 * `fixed`: the specification states it. `derived`: it follows from what is stated. `observed`: left open, never fails.
 */
export type Level = 'fixed' | 'derived' | 'observed';

/** One statement of the catalogue. */
export interface Requirement {
  /** Stable for ever: tests, reports, waivers and certificates name it. */
  readonly id: string;
  readonly level: Level;
  /** Clauses of the specification that state it or from which it is derived. */
  readonly clauses: readonly string[];
  readonly title: string;
  readonly statement: string;
  /** Requirements without which this one cannot be judged: where one of them fails, this one is inconclusive. */
  readonly dependsOn: readonly string[];
  /** The least number of exchanges that must bear on it before it can pass. */
  readonly witnesses: number;
  /** A certificate can be given without it, since no client can provoke it from outside. */
  readonly optional: boolean;
}

export type RequirementId = (typeof REQUIREMENTS)[number]['id'];

/** What a statement adds to its ID, level and clauses. Usually it depends on no other, and one exchange is enough. */
type Stated = Pick<Requirement, 'title' | 'statement'> &
  Partial<Pick<Requirement, 'dependsOn' | 'witnesses' | 'optional'>>;

function ofLevel(level: Level, isOptional: boolean) {
  return <const Id extends string>(
    id: Id,
    clauses: readonly string[],
    { title, statement, dependsOn = [], witnesses = 1, optional = isOptional }: Stated,
  ): Requirement & { readonly id: Id } => ({ id, level, clauses, title, statement, dependsOn, witnesses, optional });
}

export const fixed = ofLevel('fixed', false);
export const derived = ofLevel('derived', false);
/** It cannot fail, so a certificate never needs it. */
export const observed = ofLevel('observed', true);
