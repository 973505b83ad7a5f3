import { LIMITS, WINDOW_S } from '../catalogue/limits.ts';
import type { Exchange, Kind } from '../trace/exchange.ts';

/** One minute, the window of clause 8, in µs. */
export const WINDOW = WINDOW_S * 1e6;

/** How long after its answer a failed request may be refunded, in µs. */
export const REFUND_DELAY = 2_000_000;

/**
 * How long after its answer a request that counts only while it is under way may still count, in µs. What gives it back
 * runs when the answer is written.
 */
export const RELEASE_DELAY = 500_000;

/**
 * What became of a request in its budget. Some outcomes exist only under a hypothesis about a deviation.
 *
 * - `accepted`: it succeeded, so it was counted
 * - `refused`: 429
 * - `failed`: an answer (400, 403, 404, 500 …) that a deployment may count, not count, or refund; see `Event.group`
 * - `foreign` (hypothesis): a request of another budget that was counted in this one
 * - `background` (hypothesis): a request of others that was counted in this one, at least: they may have sent more
 * - `uncounted` (hypothesis): it succeeded and was not counted in the budget of its headers
 * - `released` (hypothesis): it succeeded and was counted only until it was answered
 * - `returned` (hypothesis): it succeeded and gave one back to the budget
 * - `returnable` (hypothesis): it failed, and gave one back or not; its headers are not judged
 * - `doubtful` (hypothesis): it succeeded, and was counted or not; its headers are judged
 * - `extra` (hypothesis): one more count of a request that succeeded, or none; it has no answer of its own
 * - `unclear`: no answer, or one that shows nothing: it may have been counted, and its headers are not judged
 */
export type Outcome =
  | 'accepted'
  | 'refused'
  | 'failed'
  | 'foreign'
  | 'background'
  | 'uncounted'
  | 'released'
  | 'returned'
  | 'returnable'
  | 'doubtful'
  | 'extra'
  | 'unclear';

/** Whether a request was certainly counted in this budget, but was not sent to it. */
export function isAnothers(outcome: Outcome): boolean {
  return outcome === 'foreign' || outcome === 'background';
}

/** Whether the limiter let it through, so that no other rule refused it: also if it may not have been counted. */
export function isLetThrough({ outcome }: Event): boolean {
  return outcome === 'accepted' || outcome === 'doubtful';
}

/** One request of a budget, as the oracle sees it. The limiter decided within `[from, to]` (µs of the run's clock). */
export interface Event {
  readonly exchange: Exchange;
  readonly from: number;
  readonly to: number;
  /** The latest time at which it was counted (µs), if under a hypothesis this is not the decision; otherwise `to`. */
  readonly countedBy?: number;
  readonly outcome: Outcome;
  /**
   * For `failed`: the class of requests that a deployment treats alike, such as `404 getCategory (missing)`; otherwise
   * empty.
   */
  readonly group: string;
  /** `X-RateLimit-Remaining`; null if it is missing or unusable. */
  readonly remaining: number | null;
  /**
   * `X-RateLimit-Reset` in µs of the run's clock, if the server's clock was right; null if it is missing or unusable.
   */
  readonly reset: number | null;
}

/** The events of one budget (key and kind) in order of `from`. */
export interface History {
  readonly key: string;
  readonly kind: Kind;
  /** Requests per window. */
  readonly limit: number;
  /**
   * The number from which Remaining counts down: the limit, unless a deployment enforces another limit than it shows.
   */
  readonly shown: number;
  readonly events: readonly Event[];
  /** The precision of the marker, in µs: usually its unit; null if unknown. */
  readonly unit: number | null;
  /** Server clock minus client clock (µs) according to the `Date` headers; infinite if there are none. */
  readonly offset: Range;
  /**
   * When the history ends (µs of the run's clock): later requests may have been counted, and are not among the events.
   */
  readonly until: number;
  /** How many requests had been counted before the first event; absent if the key was unused. See `prior-use.ts`. */
  readonly prior?: Range;
  /**
   * Whether requests of others may have been counted at any time. Then a low Remaining or an early refusal shows
   * nothing; only too many accepted requests or too high a Remaining do. Absent if nobody else used the key.
   */
  readonly shared?: boolean;
  /**
   * Whether, under a hypothesis, requests under way at the same time do not see each other's count. Then a window may
   * have accepted more than the limit. Absent if one step decides and counts.
   */
  readonly racing?: boolean;
  /** Absent: windows are begun only by requests of the budget, if by any. */
  readonly beside?: Beside;
}

/** A request that may begin a window, and when it was sent and answered, in µs of the run's clock. */
export interface Opener {
  readonly from: number;
  readonly to: number;
  /** It is certainly counted, so a window is open at the latest when it is. */
  readonly certain: boolean;
}

/**
 * Requests of other budgets that may begin a window of this one: those of the same key, and all; null: too many to try.
 */
export interface Beside {
  readonly ofKey: readonly Opener[];
  readonly ofAll: readonly Opener[] | null;
}

export interface Range {
  readonly low: number;
  readonly high: number;
}

/** The range of what is not known at all. */
export const UNBOUNDED: Range = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };

/** Server clock minus client clock (µs), in the middle of its bounds; 0 if nothing bounds it. */
export function likelyOffset({ low, high }: Range): number {
  return Number.isFinite(low + high) ? (low + high) / 2 : 0;
}

/** The limit of clause 8 in requests per window. */
export function limitOf(kind: Kind): number {
  return LIMITS[kind];
}
