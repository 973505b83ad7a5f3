import { type Event, REFUND_DELAY } from './history.ts';

/** A request that was let through, and when it was under way. */
interface Passed {
  readonly from: number;
  readonly to: number;
  /** What its answer said was left; null where it said nothing, or where something may have been given back meanwhile. */
  remaining: number | null;
  /** 1 where it was counted for certain; else 0. */
  readonly own: 0 | 1;
}

/** What is known of one window. */
interface Course {
  /** When those were sent that were counted for certain, in order. */
  readonly sent: number[];
  /** How many of these had been answered. */
  answered: number;
  /** The least that an answer said was left, with what had been counted by then, were nothing to leave the count. */
  least: number;
  readonly underWay: Passed[];
}

/** Requests that overlap lie in so many windows at the most. */
export const MOST_OPEN = 4;

/** A share that leaves little by little may be rounded by less than one, otherwise each time. */
const ROUNDING = 1;

/**
 * What is left falls by what is counted, and rises by no more than what leaves the count: a request leaves no more than any answer said that had come before
 * it was sent, less what was counted in between, and is let through only where that was more than nothing. So of those that were sent after an answer, no
 * more are let through than it said were left, however they overlap. It holds for requests of which it is not known whether they were counted, too; and
 * about a race, for those before and after it.
 */
export class Falling {
  readonly #lag: number;
  readonly #beyond: number;
  readonly #racing: boolean;
  readonly #courses = new Map<number, Course>();
  /** Until when something may be given back. */
  #returning = Number.NEGATIVE_INFINITY;

  /**
   * @param lag how far the clocks by which something leaves may be apart, in µs
   * @param beyond how many more are let through than are said to be left; below 0: fewer
   * @param racing whether more may be let through than are left of those that overlap
   */
  constructor(lag = 0, beyond = 0, racing = false) {
    this.#lag = lag;
    this.#beyond = beyond;
    this.#racing = racing;
  }

  /** A request that may have been counted and given back: what is told meanwhile may have it in. */
  takeReturning({ from, to }: Event): void {
    this.#returning = Math.max(this.#returning, to + REFUND_DELAY);
    for (const { underWay } of this.#courses.values()) {
      for (const passed of underWay) if (passed.to >= from) passed.remaining = null;
    }
  }

  /**
   * The next request that was let through, in order of `from`; false where it leaves more than it can.
   *
   * @param window that it was counted in, if it was
   * @param own 1 where it was counted for certain; else 0
   * @param leaving how many leave the count of the window in a µs at the most, the same for all of its requests
   */
  take({ from, to, remaining }: Event, window: number, own: 0 | 1, leaving = 0): boolean {
    const course = this.#courseOf(window);
    settle(course, from, leaving);
    course.underWay.push({ from, to, remaining: from > this.#returning ? remaining : null, own });
    if (own === 1) course.sent.push(from);
    const most = course.least + leaving * (to + 2 * this.#lag) + (leaving > 0 ? ROUNDING : 0);
    const left = most - course.answered;
    const isThere = this.#racing ? left + this.#beyond >= 1 : course.sent.length + 1 - own <= most + this.#beyond;
    return isThere && (remaining ?? 0) <= Math.max(0, left - own);
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

/** Takes in what the answers have said that came before a request was sent. */
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

/** How many of these times, in order, come after one that is among the last of them. */
function afterwards(times: readonly number[], time: number): number {
  let count = 0;
  while (count < times.length && (times[times.length - 1 - count] ?? time) > time) count++;
  return count;
}
