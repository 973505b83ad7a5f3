import { type Event, REFUND_DELAY } from './history.ts';

/** What an answer said was left, and when it came. */
interface Told {
  readonly from: number;
  readonly to: number;
  readonly remaining: number;
}

/** What was told in one window: by answers that had come before the last request was sent, and by those that had not. */
interface Course {
  least: number;
  underWay: readonly Told[];
}

/** Requests that overlap lie in so many windows at the most. */
export const MOST_OPEN = 4;

/**
 * What is left falls while nothing leaves the count: a request leaves no more than any answer said that had come before it was sent, and is let
 * through only where that was more than nothing. It holds for requests of which it is not known whether they were counted, too; and about a race,
 * for those before and after it.
 */
export class Falling {
  readonly #courses = new Map<number, Course>();
  readonly #returning: Pick<Event, 'from' | 'to'>[] = [];

  /** A request that may have been counted and given back: what is told meanwhile may have it in. */
  takeReturning({ from, to }: Event): void {
    this.#returning.push({ from, to: to + REFUND_DELAY });
  }

  /**
   * The next request that was let through, in order of `from`; false where it leaves more than it can.
   *
   * @param window that it was counted in, if it was
   * @param own 1 where it was counted for certain; else 0
   */
  take({ from, to, remaining }: Event, window: number, own: 0 | 1): boolean {
    const { least: before, underWay } = this.#courses.get(window) ?? { least: Number.POSITIVE_INFINITY, underWay: [] };
    const answered = underWay.filter((told) => told.to < from && !this.#mayRise(told));
    const least = answered.reduce((most, told) => Math.min(most, told.remaining), before);
    const open = underWay.filter((told) => told.to >= from);
    this.#courses.set(window, { least, underWay: remaining === null ? open : [...open, { from, to, remaining }] });
    const [oldest] = this.#courses.keys();
    if (this.#courses.size > MOST_OPEN && oldest !== undefined) this.#courses.delete(oldest);
    return least > 0 && (remaining ?? 0) <= least - own;
  }

  #mayRise({ from, to }: Told): boolean {
    return this.#returning.some((each) => each.from <= to && each.to >= from);
  }
}
