import { leastOffset, mostOffset } from './allowed.ts';
import type { MarkerOff } from './check.ts';
import type { Event, Range } from './history.ts';
import type { Alternative } from './model.ts';

/** Server clock minus client clock (µs), as far as `Date` and the markers of answers have narrowed it. */
export class ClockBounds {
  low: number;
  high: number;
  /** Indices of the events that have narrowed it, and these; -1 and null: only its first bounds did. */
  lowAt = -1;
  highAt = -1;
  #lowBy: Event | null = null;
  #highBy: Event | null = null;

  constructor({ low, high }: Range) {
    this.low = low;
    this.high = high;
  }

  /** Narrows it by an event, its index, and what its marker allows. */
  narrow(least: number, most: number, event: Event, at: number): void {
    if (least > this.low) {
      this.low = least;
      this.lowAt = at;
      this.#lowBy = event;
    }
    if (most < this.high) {
      this.high = most;
      this.highAt = at;
      this.#highBy = event;
    }
  }

  /** Whether a marker may be the end of a window. @param slack how precise it is, in µs; also below */
  fits(event: Event, reset: number, slack: number, allowed: Alternative): boolean {
    return leastOffset(event, reset, slack, allowed) <= this.high && mostOffset(reset, slack, allowed) >= this.low;
  }

  /** By how much a marker is off that does not fit. */
  offOf(event: Event, reset: number, slack: number, allowed: Alternative): MarkerOff {
    const late = leastOffset(event, reset, slack, allowed) - this.high;
    if (late > 0) return { by: late, against: this.#highBy };
    return { by: mostOffset(reset, slack, allowed) - this.low, against: this.#lowBy };
  }
}
