import type { History } from '../oracle/history.ts';
import type { Shape } from '../oracle/shapes.ts';
import type { Kind } from '../trace/exchange.ts';
import type { Explained } from './explained.ts';
import type { Proposer } from './proposal.ts';

/** What the judgements of earlier parts of a run have told whoever judges it several times while it lasts. */
export class EarlierParts {
  readonly #refuted = new Map<string, Set<Shape>>();
  readonly #suspects = new Map<Kind, Set<Proposer>>();

  /**
   * Mechanisms that are refuted for budgets of one kind, to be added to: what follows makes none of them explain the run again. Where markers are
   * read otherwise, or other keys had been used before, all is to be asked anew.
   */
  refuted(histories: readonly History[]): Set<Shape> {
    const [first] = histories;
    const before = histories.flatMap(({ key, prior }) => (prior ? [`${key}: ${prior.high}`] : []));
    return ofName(this.#refuted, [first?.kind, first?.unit, ...before].join());
  }

  /** Who proposed what explained the budgets of one kind, to be added to: likely to do so again, and asked first. */
  suspects(kind: Kind): Set<Proposer> {
    return ofName(this.#suspects, kind);
  }
}

function ofName<Name, Value>(sets: Map<Name, Set<Value>>, name: Name): Set<Value> {
  const known = sets.get(name) ?? new Set();
  sets.set(name, known);
  return known;
}

/** When a search may end before all has been tried. */
export interface EarlyEnd {
  /** Whether nothing more is asked for than this explanation, the cheapest so far. */
  isEnough(explained: Explained): boolean;
  /** Who is asked first; who proposed what explains is added. */
  readonly suspects: Set<Proposer>;
}

/** All of the proposers, those first that are likely to find something. */
export function suspectsFirst(all: readonly Proposer[], early: EarlyEnd | null): readonly Proposer[] {
  if (!early || early.suspects.size === 0) return all;
  return [...early.suspects, ...all.filter((proposer) => !early.suspects.has(proposer))];
}
