import type { Outcome, Range } from './history.ts';
import { WINDOW } from './history.ts';

/**
 * The fast half of the judge. It searches for a witness: a decision time within `[from, to]` for each request, so that
 * fixed windows, on a grid or anchored, give exactly the recorded answers. It takes one pass and keeps few windows in
 * memory.
 *
 * It can only decide "explained". Everything else (other mechanisms, lost answers, failed requests, irregular markers,
 * overlaps of three windows) goes to the search of `explain.ts`, which alone refutes.
 *
 * A witness is enough, because `check` tests necessary conditions on the true decision times. Those of a witness
 * satisfy the mechanism, so they may be the true ones, and no necessary condition fails. A property test compares both.
 *
 * Why the conditions below suffice: in a window that starts at x, the request with rank n (limit minus Remaining) is
 * decided at t_n = max(x, from_1 … from_n), the earliest time in the order of ranks. This fits iff x ≤ every `to`,
 * from_m ≤ to_n for all m ≤ n, and every from < x + window. A refusal is decided at its latest time, after t_limit. So
 * a window gives an interval for x. On a grid, all intervals, moved by whole windows, must intersect. For anchored
 * windows, x is t_1, and each is at least one window after the one before. Markers are x + window + θ with one θ for
 * the run, rounded by up to a unit. These are difference constraints, whose longest paths are kept as running maxima.
 */
export class WitnessSearch {
  /** How many windows its requests were in. */
  windows = 0;
  readonly #limit: number;
  readonly #unit: number;
  #offset: Range;
  readonly #onWindow: (low: number, high: number) => void;
  #before = new OpenWindow();
  #now = new OpenWindow();
  #explained = true;
  #first = Number.NaN;
  readonly #grid = { index: -Infinity, low: -Infinity, high: Infinity, endLow: -Infinity, endHigh: Infinity };
  #anchored = true;
  readonly #chain = { start: -Infinity, marker: -Infinity, offsetLow: -Infinity, offsetHigh: Infinity };

  /**
   * @param limit requests per window
   * @param unit of the marker, in µs
   * @param offset server clock minus client clock (µs), as far as it is known
   * @param onWindow gets the possible start of each window (least and greatest, µs) if windows are anchored, in order
   */
  constructor(limit: number, unit: number, offset: Range, onWindow: (low: number, high: number) => void = NOBODY) {
    this.#limit = limit;
    this.#unit = unit;
    this.#offset = offset;
    this.#onWindow = onWindow;
  }

  /**
   * The next request in order of `from`. All times are µs of the run's clock, as in `Event`.
   *
   * @returns false from the first request on for which no witness was found
   */
  push(from: number, to: number, outcome: Outcome, remaining: number | null, reset: number | null): boolean {
    if (!this.#explained) return false;
    if (Number.isNaN(this.#first) && reset !== null) this.#first = reset;
    this.#explained = reset !== null && this.#take(from, to, outcome, remaining, reset);
    return this.#explained;
  }

  #take(from: number, to: number, outcome: Outcome, remaining: number | null, reset: number): boolean {
    const window = this.#windowOf(reset);
    if (!window) return false;
    if (window.empty) this.windows += 1;
    window.markerLow = Math.min(window.markerLow, reset);
    window.markerHigh = Math.max(window.markerHigh, reset);
    if (outcome === 'refused') return (remaining ?? 0) <= 0 && window.refuse(from, to);
    return (
      outcome === 'accepted' && remaining !== null && window.accept(from, to, this.#limit - remaining, this.#limit)
    );
  }

  /** The window with this marker: one of the last two, or the next; null if it is none of them. */
  #windowOf(reset: number): OpenWindow | null {
    const { markerLow, markerHigh } = this.#now;
    if (reset >= markerHigh - this.#unit && reset <= markerLow + this.#unit) return this.#now;
    if (reset >= markerLow + WINDOW - this.#unit) {
      if (!this.#close(this.#before)) return null;
      const next = this.#before;
      this.#before = this.#now;
      this.#now = next;
      next.clear();
      return next;
    }
    const earlier = this.#before;
    const fits = reset >= earlier.markerHigh - this.#unit && reset <= earlier.markerLow + this.#unit;
    return fits && !earlier.empty ? earlier : null;
  }

  /** Narrows the phase, the anchor and the clocks' offset by a window that has ended. */
  #close(window: OpenWindow): boolean {
    if (window.empty) return true;
    if (!window.inOrder(this.#limit)) return false;
    const { firstTo, lastFrom, markerLow, markerHigh } = window;
    const low = lastFrom - WINDOW + 1;
    const high = firstTo;
    if (low > high) return false;
    const index = Math.round((markerLow - this.#first) / WINDOW);
    const grid = this.#grid;
    if (index <= grid.index) grid.high = -Infinity;
    grid.index = index;
    grid.low = Math.max(grid.low, low - index * WINDOW);
    grid.high = Math.min(grid.high, high - index * WINDOW);
    grid.endLow = Math.max(grid.endLow, markerHigh - this.#unit - index * WINDOW);
    grid.endHigh = Math.min(grid.endHigh, markerLow + this.#unit - index * WINDOW);
    if (this.#anchored)
      this.#anchored = this.#link(window, Number.isNaN(window.firstFrom) ? low : Math.max(low, window.firstFrom), high);
    return this.#anchored || (grid.low <= grid.high && grid.endLow <= grid.endHigh);
  }

  #link({ markerLow, markerHigh }: OpenWindow, low: number, high: number): boolean {
    const chain = this.#chain;
    chain.start = Math.max(low, chain.start + WINDOW);
    chain.marker = Math.max(markerHigh - this.#unit - WINDOW, chain.marker + WINDOW);
    chain.offsetLow = Math.max(chain.offsetLow, chain.marker - high);
    chain.offsetHigh = Math.min(chain.offsetHigh, markerLow + this.#unit - WINDOW - chain.start);
    this.#onWindow(chain.start, high);
    return chain.start <= high && chain.marker <= markerLow + this.#unit - WINDOW;
  }

  /**
   * The witness, after the last request; null if none was found.
   *
   * @param offset server clock minus client clock (µs), if more is known about it by now
   */
  finish(offset = this.#offset): Witness | null {
    this.#offset = offset;
    if (!this.#explained || !this.#close(this.#before) || !this.#close(this.#now)) return null;
    if (Number.isNaN(this.#first)) return null;
    return this.#onGrid() ?? (this.#anchored ? this.#onAnchors() : null);
  }

  #onGrid(): Witness | null {
    const { low, high, endLow, endHigh } = this.#grid;
    const offset = this.#offset;
    const phaseLow = Math.max(low, endLow - WINDOW - offset.high);
    const phaseHigh = Math.min(high, endHigh - WINDOW - offset.low);
    if (phaseLow > phaseHigh || endLow > endHigh) return null;
    const middle = (phaseLow + phaseHigh) / 2;
    const phase = { low: Math.max(phaseLow, middle - NARROW), high: Math.min(phaseHigh, middle + NARROW) };
    const ends = { low: endLow - WINDOW - phase.high, high: endHigh - WINDOW - phase.low };
    return { mechanism: 'grid', phase, offset: both(offset, ends) };
  }

  #onAnchors(): Witness | null {
    const { offsetLow, offsetHigh } = this.#chain;
    const offset = both(this.#offset, { low: offsetLow, high: offsetHigh });
    return offset.low <= offset.high ? { mechanism: 'anchored', phase: null, offset } : null;
  }
}

/** What certainly explains a history. */
export interface Witness {
  readonly mechanism: 'grid' | 'anchored';
  /** A start of some window (µs of the run's clock), to within a few ms; null if windows are anchored. */
  readonly phase: Range | null;
  /** Server clock minus client clock, in µs. */
  readonly offset: Range;
}

const NOBODY = (): void => {};

/** Half of the precision of a phase, in µs: that of the search in `explain.ts`. */
const NARROW = 4_000;

function both(one: Range, other: Range): Range {
  return { low: Math.max(one.low, other.low), high: Math.min(one.high, other.high) };
}

/** The requests of one window by rank: the lowest ones without a gap as a sum, and those beyond a gap one by one. */
class OpenWindow {
  empty = true;
  markerLow = Infinity;
  markerHigh = -Infinity;
  /** The earliest end and the latest start of all its requests. */
  firstTo = Infinity;
  lastFrom = -Infinity;
  /** When the request with rank 1 was sent; NaN if unknown. */
  firstFrom = Number.NaN;
  /** All ranks up to this came, each possibly decided after those before it; and the latest start of these. */
  #ranked = 0;
  #latest = -Infinity;
  #beyond: { readonly rank: number; readonly from: number; readonly to: number }[] = [];
  #refused = false;
  #refusedTo = Infinity;

  clear(): void {
    this.empty = true;
    this.markerLow = Infinity;
    this.markerHigh = -Infinity;
    this.firstTo = Infinity;
    this.lastFrom = -Infinity;
    this.firstFrom = Number.NaN;
    this.#ranked = 0;
    this.#latest = -Infinity;
    this.#beyond = [];
    this.#refused = false;
    this.#refusedTo = Infinity;
  }

  /** False if the rank is invalid or taken, or was given before a lower one. */
  accept(from: number, to: number, rank: number, limit: number): boolean {
    if (!(rank > this.#ranked && rank <= limit)) return false;
    this.#stretch(from, to);
    if (rank === 1) this.firstFrom = from;
    if (rank > this.#ranked + 1) {
      if (this.#beyond.some((each) => each.rank === rank)) return false;
      this.#beyond.push({ rank, from, to });
      return true;
    }
    return this.#append(from, to) && (this.#beyond.length === 0 || this.#appendNext());
  }

  #append(from: number, to: number): boolean {
    this.#ranked += 1;
    this.#latest = Math.max(this.#latest, from);
    return this.#latest <= to;
  }

  /** Adds the requests beyond a gap that has closed. */
  #appendNext(): boolean {
    for (;;) {
      const index = this.#beyond.findIndex(({ rank }) => rank === this.#ranked + 1);
      const [next] = index < 0 ? [] : this.#beyond.splice(index, 1);
      if (!next) return true;
      if (!this.#append(next.from, next.to)) return false;
    }
  }

  refuse(from: number, to: number): boolean {
    this.#refused = true;
    if (to < this.#refusedTo) this.#refusedTo = to;
    this.#stretch(from, to);
    return true;
  }

  #stretch(from: number, to: number): void {
    this.empty = false;
    if (to < this.firstTo) this.firstTo = to;
    if (from > this.lastFrom) this.lastFrom = from;
  }

  /** Whether the ranks have no gap, and refusals can have come after the last of them. */
  inOrder(limit: number): boolean {
    if (this.#beyond.length > 0 || (this.#refused && this.#ranked !== limit)) return false;
    return !this.#refused || this.#refusedTo >= this.#latest;
  }
}
