import {
  besideOthers,
  decides,
  isLeftInSome,
  isOfDecision,
  lacksRequests,
  leastOffset,
  markerTells,
  mostOffset,
  remainingFits,
  straddles,
} from './allowed.ts';
import type { Contradiction, Layers, Placed } from './check.ts';
import { ClockBounds } from './clock-bounds.ts';
import { type Counting, countedAs, mayReturn } from './counting.ts';
import { type Counts, mostReturned } from './counts.ts';
import { Falling, MOST_OPEN } from './falling.ts';
import { type Event, type History, isLetThrough, type Outcome, type Range } from './history.ts';
import { type Alternative, DRIFT, type Model } from './model.ts';
import { Ranks } from './ranks.ts';
import { WindowMarkers } from './window-markers.ts';

/** Resolution of timers on both sides, in µs. */
const TICK = 5_000;

/** Outcomes of which no answer tells. */
const UNJUDGED: ReadonlySet<Outcome> = new Set(['unclear', 'foreign', 'background', 'returnable', 'extra']);

/** What must be known about a history besides its events. */
export interface Terms extends Pick<History, 'limit' | 'shown' | 'unit' | 'offset' | 'shared' | 'racing'> {
  /** Whether Remaining is compared with earlier values. */
  readonly falling: boolean;
  /** Counts of requests that may have given one back; null: none. */
  readonly returns: Counts | null;
  /** Whether contradictions say what an answer lacks, or by how much its marker is off: most are only counted. */
  readonly details: boolean;
  /** When the first event was sent, in µs of the run's clock. */
  readonly origin: number;
  /** The most that the clocks may have drifted apart since then, in µs. */
  readonly mostDrift: number;
}

/**
 * Compares models with events in order of `from`. Each check is a necessary condition on the true decision times. So
 * the deployment's own model is never contradicted, whatever the latencies.
 */
export class Checker {
  /** How many events were explained. */
  explained = 0;
  /** Indices of the events on which the last contradiction depends, if these are single ones. */
  conflict: readonly number[] = [];
  readonly #terms: Terms;
  readonly #counting: Counting;
  readonly #layers: Layers;
  readonly #lag: number;
  readonly #placed: Placed[] | null;
  readonly #markers = new WindowMarkers();
  readonly #ranks = new Map<number, Ranks>();
  readonly #falling: Falling | null;
  readonly #clock: ClockBounds;

  /** @param placed receives the requests that can have been decided only in one window; null: not needed */
  constructor(terms: Terms, counting: Counting, layers: Layers, lag: number, placed: Placed[] | null = null) {
    this.#terms = terms;
    this.#counting = counting;
    this.#layers = layers;
    this.#lag = lag;
    this.#placed = placed;
    this.#falling = terms.falling ? new Falling(lag, terms.limit - terms.shown, terms.racing) : null;
    // Another host's clock may have made the marker than the `Date`.
    this.#clock = new ClockBounds({ low: terms.offset.low - lag, high: terms.offset.high + lag });
  }

  /** Server clock minus client clock (µs), as far as the markers have narrowed it. */
  get offset(): Range {
    return { low: this.#clock.low, high: this.#clock.high };
  }

  /**
   * Checks the next event.
   *
   * @param at its index among the events of the model's input
   * @returns null if the model allows it
   */
  take(model: Model, event: Event, at: number): Contradiction | null {
    const certain = countedAs(event, this.#counting) === 'certain';
    const mayBeRefunded = event.outcome === 'unclear' || (event.outcome === 'failed' && !certain);
    if (mayBeRefunded) this.#falling?.takeReturning(event);
    if (mayReturn(event)) this.#falling?.takeReturned();
    if (UNJUDGED.has(event.outcome)) return null;
    const { limit, shown, unit, origin, mostDrift, returns, details, shared = false } = this.#terms;
    const counting = this.#counting;
    const layers = this.#layers;
    const clock = this.#clock;
    const { reset, outcome } = event;
    const allowing = model.alternatives(event, at);
    const alternatives = shared ? besideOthers(allowing, event, certain, this.#lag, shown) : allowing;
    // Its count may have been given back before its answer was made.
    const isIn = certain && !(returns && mostReturned(returns, event.from, event.to) > 0);
    const isOpen = counting.undecided.size > 0 && counting.undecided.has(event.group);
    if (alternatives.length === 0 && (certain || outcome === 'refused')) {
      return this.#fail('too early', event, null, [at]);
    }
    // If no window is open, nothing has been counted, so a request shows only itself.
    if (
      alternatives.length === 0 &&
      outcome === 'released' &&
      layers.remaining &&
      (event.remaining ?? shown) < shown - 1
    ) {
      return this.#fail('remaining', event, null, [at]);
    }
    const loose = straddles(event, certain, alternatives, limit);
    const readLate = loose && outcome !== 'refused';
    const judgesRemaining = layers.remaining && !readLate && !isOpen;
    const judgesReset = layers.reset && unit !== null && reset !== null && !readLate;
    const slack = Math.min(DRIFT * (event.to - origin), mostDrift) + TICK;
    const roundTrip = event.to - event.from;
    let worst: Contradiction['kind'] | null = null;
    let nearest = alternatives[0] ?? null;
    let least = Number.POSITIVE_INFINITY;
    let most = Number.NEGATIVE_INFINITY;
    let only: Alternative | null = null;
    let fitting = 0;
    for (const allowed of alternatives) {
      let kind = decides(event, certain, allowed, limit);
      if (kind === null && judgesRemaining && !remainingFits(event, isIn, allowed, this.#terms)) kind = 'remaining';
      if (kind === null && judgesReset) {
        if (!isOpen && markerTells(event, certain, allowed)) {
          const low = leastOffset(event, reset, unit + slack, allowed);
          const high = mostOffset(reset, unit + slack, allowed);
          if (low > clock.high || high < clock.low) kind = 'reset';
          else {
            if (low < least) least = low;
            if (high > most) most = high;
          }
        } else {
          least = Number.NEGATIVE_INFINITY;
          most = Number.POSITIVE_INFINITY;
        }
      }
      if (kind === null) {
        fitting++;
        only = allowed;
      } else if (worst === null || (isOfDecision(worst) && !isOfDecision(kind))) {
        // The answer shows more about windows in which it can have been decided.
        worst = kind;
        nearest = allowed;
      }
    }
    const isOwn = readLate && !shared && layers.remaining && certain && worst === null;
    if (isOwn && !isLeftInSome(event, alternatives, shown)) {
      worst = 'remaining';
      fitting = 0;
    }
    if (fitting === 0 && worst !== null) {
      if (!details) return this.#fail(worst, event, nearest, [at, clock.lowAt, clock.highAt]);
      const lacking = alternatives.find(
        (each) =>
          lacksRequests(event, each, limit, shown) && (!judgesReset || this.#isMarked(event, certain, each, slack)),
      );
      const failure = this.#fail(worst, event, nearest, [at, clock.lowAt, clock.highAt]);
      const off = worst === 'reset' && nearest && judgesReset ? clock.offOf(event, reset, unit + slack, nearest) : null;
      return { ...failure, ...(off && { off }), ...(lacking && { lacking }) };
    }
    if (fitting === 1 && only && only.window !== null && (certain || outcome === 'refused')) {
      this.#placed?.push({ event, window: only.window });
    } else if (readLate && certain && layers.reset) {
      const read = this.#readIn(event, alternatives, slack);
      if (read && read.window !== null) {
        this.#placed?.push({ event, window: read.window });
        if (layers.remaining && !this.#fallsLater(event, read)) return this.#fail('remaining', event, read, [at]);
      }
    }
    if (layers.remaining && certain && !loose && fitting === 1 && only && !this.#hasRank(event, only)) {
      return this.#fail('remaining', event, only, [at]);
    }
    if (layers.remaining && !loose && fitting === 1 && only && !this.#falls(event, only)) {
      return this.#fail('remaining', event, only, [at]);
    }
    if (layers.reset) {
      if (least <= most) clock.narrow(least, most, event, at);
      const tells = unit !== null && reset !== null && !loose && !isOpen;
      if (tells && fitting === 1 && only && only.window !== null && markerTells(event, certain, only)) {
        const earliest = reset - unit - roundTrip - this.#lag - slack;
        const moved = this.#markers.narrow(only.window, earliest, reset, at);
        if (moved) return this.#fail('marker moves', event, only, moved);
      }
    }
    this.explained++;
    return null;
  }

  /** Whether an answer has the marker of this alternative. */
  #isMarked(event: Event, certain: boolean, allowed: Alternative, slack: number): boolean {
    const { unit } = this.#terms;
    const { reset } = event;
    if (unit === null || reset === null || !markerTells(event, certain, allowed)) return true;
    return this.#clock.fits(event, reset, unit + slack, allowed);
  }

  /** The window in which an answer was read, the only one whose marker it can have; null if there is none. */
  #readIn(event: Event, alternatives: readonly Alternative[], slack: number): Alternative | null {
    if (this.#terms.unit === null || event.reset === null) return null;
    const told = alternatives.filter((each) => this.#isMarked(event, true, each, slack));
    return told.length === 1 ? (told[0] ?? null) : null;
  }

  /** Whether no more answers have this Remaining than possible. A return makes room; late counting is ignored. */
  #hasRank({ remaining, countedBy, outcome }: Event, { countedIn }: Alternative): boolean {
    // A counted refusal is counted beyond the limit, and a failed request may be.
    if (remaining !== null && remaining <= 0 && outcome !== 'accepted') return true;
    if (countedIn === null || remaining === null || countedBy !== undefined || this.#terms.returns) return true;
    const { shown, limit, racing } = this.#terms;
    let ranks = this.#ranks.get(countedIn);
    if (!ranks) {
      ranks = new Ranks(shown, racing ? Number.POSITIVE_INFINITY : limit);
      this.#ranks.set(countedIn, ranks);
      const [oldest] = this.#ranks.keys();
      if (this.#ranks.size > MOST_OPEN && oldest !== undefined) this.#ranks.delete(oldest);
    }
    return ranks.take(remaining);
  }

  /** Whether an accepted request leaves no more than possible. Late counting is ignored. */
  #falls(event: Event, { countedIn, leaving }: Alternative): boolean {
    const { outcome, countedBy } = event;
    if (!this.#falling || !isLetThrough(event)) return true;
    if (leaving === null || countedIn === null || countedBy !== undefined) return true;
    const { returns } = this.#terms;
    const returned = returns ? mostReturned(returns, event.from, event.to) : 0;
    return this.#falling.take(event, countedIn, outcome === 'accepted' ? 1 : 0, leaving, returned);
  }

  /** The same of an answer read in this window, though its request may have been counted in the one before. */
  #fallsLater(event: Event, { countedIn, leaving }: Alternative): boolean {
    if (!this.#falling || leaving !== 0 || countedIn === null || event.countedBy !== undefined) return true;
    return this.#falling.takeRead(event, countedIn);
  }

  #fail(
    kind: Contradiction['kind'],
    event: Event,
    allowed: Alternative | null,
    conflict: readonly number[],
  ): Contradiction {
    this.conflict = conflict;
    return { kind, event, allowed, span: null };
  }
}
