import type { History } from '../oracle/history.ts';
import type { Shape } from '../oracle/shapes.ts';
import type { Kind } from '../trace/exchange.ts';
import type { Explained } from './explained.ts';
import type { Proposer } from './proposal.ts';

/** Findings about earlier parts of a run, for a judge that runs several times during it. */
export class EarlierParts {
  readonly #refuted = new Map<string, Set<Shape>>();
  readonly #suspects = new Map<Kind, Set<Proposer>>();

  /**
   * Mechanisms that are refuted for budgets of one kind; new ones are added. What follows cannot make them explain the
   * run again. If markers are read differently or other keys were used before, the set starts empty.
   */
  refuted(histories: readonly History[]): Set<Shape> {
    const [first] = histories;
    const before = histories.flatMap(({ key, prior }) => (prior ? [`${key}: ${prior.high}`] : []));
    return ofName(this.#refuted, [first?.kind, first?.unit, ...before].join());
  }

  /**
   * The proposers whose proposals explained budgets of one kind; new ones are added. They are likely to succeed again,
   * so they are tried first.
   */
  suspects(kind: Kind): Set<Proposer> {
    return ofName(this.#suspects, kind);
  }
}

function ofName<Name, Value>(sets: Map<Name, Set<Value>>, name: Name): Set<Value> {
  const known = sets.get(name) ?? new Set();
  sets.set(name, known);
  return known;
}

/** When a search may end before everything was tried. */
export interface EarlyEnd {
  /** Whether this explanation, the cheapest so far, is sufficient. */
  isEnough(explained: Explained): boolean;
  /** The proposers to try first. Those whose proposals explain are added. */
  readonly suspects: Set<Proposer>;
}

/** All proposers, likely ones first. */
export function suspectsFirst(all: readonly Proposer[], early: EarlyEnd | null): readonly Proposer[] {
  if (!early || early.suspects.size === 0) return all;
  return [...early.suspects, ...all.filter((proposer) => !early.suspects.has(proposer))];
}
