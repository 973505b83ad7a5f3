import type { CounterMarker } from './counter.ts';
import type { Counting } from './counting.ts';
import type { LogReset } from './log.ts';

/**
 * M1 to M4. `counter, anchored`: a grid for each key. `grid, anchored`: a request after a gap may move the grid.
 * `anchored, key`: any request of the key begins a window of both kinds; `anchored, all`: any request begins one of
 * all.
 */
export type MechanismName =
  | 'grid'
  | 'anchored'
  | 'grid, anchored'
  | 'anchored, key'
  | 'anchored, all'
  | 'log'
  | 'counter'
  | 'counter, anchored';

/** A mechanism with all of its options except intervals. */
export interface Variant {
  readonly mechanism: MechanismName;
  readonly counting: Counting;
  /** µs: 0, or 1 s for clocks that tick in whole seconds. */
  readonly lag: number;
  /** What a sliding log's marker states. */
  readonly reset: LogReset;
  /** What a sliding counter's marker states; absent: the end of its bucket. */
  readonly marker?: CounterMarker;
  /** A sliding counter remembers a refusal until its bucket ends. */
  readonly latch: boolean;
}
