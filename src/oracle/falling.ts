import { type Event, REFUND_DELAY } from './history.ts';

/** An accepted request, and when it was under way. */
interface Passed {
  readonly from: number;
  readonly to: number;
  /** The Remaining of its answer; null if there was none, or if something may have been given back in the meantime. */
  remaining: number | null;
  /** 1 if it was certainly counted; otherwise 0. */
  readonly own: 0 | 1;
}

/** What is known about one window. */
interface Course {
  /** When the requests that were certainly counted were sent, in order. */
  readonly sent: number[];
  /** How many of these had been answered. */
  answered: number;
  /** The lowest Remaining of an answer plus what had been counted by then, as if nothing left the count. */
  least: number;
  readonly underWay: Passed[];
}

/** Requests that overlap lie in at most this many windows. */
export const MOST_OPEN = 4;

/** A share that decreases gradually may be rounded by less than one, differently each time. */
const ROUNDING = 1;

/**
 * Remaining decreases by what is counted, and increases at most by what leaves the count. A request leaves at most what
 * any answer before it left, less what was counted between, and is accepted only if that was more than nothing. So of
 * the requests sent after an answer, at most its Remaining are accepted, however they overlap. This also holds for
 * requests that may not have been counted and, with a race, for those before and after it.
 */
export class Falling {
  readonly #lag: number;
  readonly #beyond: number;
  readonly #racing: boolean;
  readonly #courses = new Map<number, Course>();
  /** Until when something may be given back. */
  #returning = Number.NEGATIVE_INFINITY;

  /**
   * @param lag how far the clocks by which requests leave the count may differ, in µs
   * @param beyond how many more requests are accepted than Remaining shows; negative: fewer
   * @param racing whether more overlapping requests may be accepted than are left
   */
  constructor(lag = 0, beyond = 0, racing = false) {
    this.#lag = lag;
    this.#beyond = beyond;
    this.#racing = racing;
  }

  /**
   * Adds a request that may have been counted and given back: the Remaining of answers in the meantime may include it.
   */
  takeReturning({ from, to }: Event): void {
    this.#returning = Math.max(this.#returning, to + REFUND_DELAY);
    for (const { underWay } of this.#courses.values()) {
      for (const passed of underWay) if (passed.to >= from) passed.remaining = null;
    }
  }

  /** Adds a request that gave one back, or may have done so: from then on, one more may be left. */
  takeReturned(): void {
    for (const course of this.#courses.values()) {
      course.least += 1;
      for (const passed of course.underWay) if (passed.remaining !== null) passed.remaining += 1;
    }
  }

  /**
   * Adds the next accepted request, in order of `from`; false if it leaves more than possible.
   *
   * @param window in which it was counted, if it was
   * @param own 1 if it was certainly counted; otherwise 0
   * @param leaving the most requests that leave the count of the window in a µs, the same for all of its requests
   * @param returned the most that may have been given back while it was under way
   */
  take({ from, to, remaining }: Event, window: number, own: 0 | 1, leaving = 0, returned = 0): boolean {
    const course = this.#courseOf(window);
    settle(course, from, leaving);
    const told = remaining === null || from <= this.#returning ? null : remaining + returned;
    course.underWay.push({ from, to, remaining: told, own });
    if (own === 1) course.sent.push(from);
    const most = course.least + leaving * (to + 2 * this.#lag) + (leaving > 0 ? ROUNDING : 0) + returned;
    const left = most - course.answered;
    const isThere = this.#racing ? left + this.#beyond >= 1 : course.sent.length + 1 - own <= most + this.#beyond;
    return isThere && (remaining ?? 0) <= Math.max(0, left - own);
  }

  /**
   * Adds a request whose headers were read in this window, from which nothing leaves, though it may have been counted
   * in the one before: what it says is left holds for those sent later. False if it is more than possible.
   */
  takeRead({ from, to, remaining }: Event, window: number): boolean {
    const course = this.#courseOf(window);
    settle(course, from, 0);
    course.underWay.push({ from, to, remaining: from <= this.#returning ? null : remaining, own: 0 });
    return (remaining ?? 0) <= Math.max(0, course.least - course.answered);
  }

  #courseOf(window: number): Course {
    const known = this.#courses.get(window);
    if (known) return known;
    const course: Course = { sent: [], answered: 0, least: Number.POSITIVE_INFINITY, underWay: [] };
    this.#courses.set(window, course);
    const [oldest] = this.#courses.keys();
    if (this.#courses.size > MOST_OPEN && oldest !== undefined) this.#courses.delete(oldest);
    return course;
  }
}

/** Applies the Remaining of answers that came before a request was sent. */
function settle(course: Course, sent: number, leaving: number): void {
  const { underWay } = course;
  let kept = 0;
  for (const passed of underWay) {
    if (passed.to >= sent) {
      underWay[kept++] = passed;
      continue;
    }
    course.answered += passed.own;
    if (passed.remaining === null) continue;
    const counted = course.sent.length - afterwards(course.sent, passed.to);
    course.least = Math.min(course.least, passed.remaining + counted - leaving * passed.from);
  }
  underWay.length = kept;
}

/** How many of these times, in order, are after `time`, which is among the last of them. */
function afterwards(times: readonly number[], time: number): number {
  let count = 0;
  while (count < times.length && (times[times.length - 1 - count] ?? time) > time) count++;
  return count;
}
