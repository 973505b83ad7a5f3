import { limitOf, type Range, UNBOUNDED } from '../../oracle/history.ts';
import { type Witness, WitnessSearch } from '../../oracle/witness.ts';
import type { Kind } from '../../trace/exchange.ts';

/** One budget of a load run, request by request: what fixed windows need to explain it, and sums over its requests. */
export class BudgetStream {
  readonly kind: Kind;
  /** All requests, including those that were neither accepted nor refused. */
  requests = 0;
  accepted = 0;
  refused = 0;
  /** The most requests that were under way at the same time. */
  atOnce = 0;
  #search: WitnessSearch | null;
  /** When the requests under way will be answered, if there are several, and when the last of them will be. */
  #open: number[] | null = null;
  #until = Number.NEGATIVE_INFINITY;

  constructor(kind: Kind, unit: number) {
    this.kind = kind;
    this.#search = new WitnessSearch(limitOf(kind), unit, UNBOUNDED);
  }

  /** Whether fixed windows explain all requests so far. */
  get explained(): boolean {
    return this.#search !== null;
  }

  get windows(): number {
    return this.#search?.windows ?? 0;
  }

  /** Adds the next request in order of sending. Times are µs of the run's clock. */
  push(from: number, to: number, accepted: boolean, remaining: number, reset: number): void {
    this.#count(from, to, accepted);
    if (this.#search?.push(from, to, accepted ? 'accepted' : 'refused', remaining, reset) === false) this.contradict();
  }

  /** Records that nothing explains the budget, or that an answer was neither a success nor a plain refusal. */
  contradict(): void {
    this.#search = null;
  }

  /** The fixed windows that explain the budget, after its last request. */
  finish(offset: Range): Witness | null {
    return this.#search?.finish(offset) ?? null;
  }

  #count(from: number, to: number, accepted: boolean): void {
    if (accepted) this.accepted += 1;
    else this.refused += 1;
    if (from > this.#until) {
      this.#open = null;
      this.#until = to;
      this.atOnce = Math.max(this.atOnce, 1);
      return;
    }
    this.#open = (this.#open ?? [this.#until]).filter((end) => end >= from);
    this.#open.push(to);
    this.#until = Math.max(this.#until, to);
    this.atOnce = Math.max(this.atOnce, this.#open.length);
  }
}
