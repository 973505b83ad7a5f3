import { check, type Layers, type Outcome, type Placed } from './check.ts';
import type { Counting } from './counting.ts';
import type { History } from './history.ts';
import type { Model } from './model.ts';

/** How often the boundaries are narrowed by the results of narrowing, at most. */
const MOST_ROUNDS = 4;

/**
 * Compares a model with a history, with its boundaries narrowed by requests that can only have been decided on one
 * side. A boundary is one moment for all requests, while each by itself may have any possible moment.
 */
export function settle(model: Model, history: History, counting: Counting, layers: Layers, lag: number): Outcome {
  let current: Model | null = model;
  for (let round = 0; ; round++) {
    const placed: Placed[] | null = current.settled ? [] : null;
    const outcome = check(current, history, counting, layers, lag, null, placed);
    const next: Model | null = placed && outcome.contradiction === null ? (current.settled?.(placed) ?? null) : null;
    if (!next || round === MOST_ROUNDS) return outcome;
    current = next;
  }
}
