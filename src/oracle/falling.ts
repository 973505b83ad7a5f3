import { type Event, REFUND_DELAY } from './history.ts';

/** A request that was let through: what its answer said was left, where it said it, and when it was under way. */
interface Passed {
  readonly from: number;
  readonly to: number;
  readonly remaining: number | null;
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
  underWay: readonly Passed[];
}

/** Requests that overlap lie in so many windows at the most. */
export const MOST_OPEN = 4;

/** A share that leaves little by little may be rounded by less than one, otherwise each time. */
const ROUNDING = 1;

/**
 * What is left falls by what is counted, and rises by no more than what leaves the count: a request leaves no more than any answer said that had come before
 * it was sent, less what was counted in between, and is let through only where that was more than nothing. It holds for requests of which it is not known
 * whether they were counted, too; and about a race, for those before and after it.
 */
export class Falling {
  readonly #lag: number;
  readonly #courses = new Map<number, Course>();
  readonly #returning: Pick<Event, 'from' | 'to'>[] = [];

  /** @param lag how far the clocks by which something leaves may be apart, in µs */
  constructor(lag = 0) {
    this.#lag = lag;
  }

  /** A request that may have been counted and given back: what is told meanwhile may have it in. */
  takeReturning({ from, to }: Event): void {
    this.#returning.push({ from, to: to + REFUND_DELAY });
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
    const open: Passed[] = [{ from, to, remaining, own }];
    for (const passed of course.underWay) {
      if (passed.to < from) this.#settle(passed, course, leaving);
      else open.push(passed);
    }
    course.underWay = open;
    const rounding = leaving > 0 ? ROUNDING : 0;
    const left = course.least - course.answered + leaving * (to + 2 * this.#lag) + rounding;
    if (own === 1) course.sent.push(from);
    return left >= 1 && (remaining ?? 0) <= left - own;
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

  /** Takes in what an answer has said that came before a request was sent. */
  #settle(passed: Passed, course: Course, leaving: number): void {
    const { from, to, remaining, own } = passed;
    course.answered += own;
    if (remaining === null || this.#mayRise(passed)) return;
    const counted = course.sent.length - afterwards(course.sent, to);
    course.least = Math.min(course.least, remaining + counted - leaving * from);
  }

  #mayRise({ from, to }: Passed): boolean {
    return this.#returning.some((each) => each.from <= to && each.to >= from);
  }
}

/** How many of these times, in order, come after one that is among the last of them. */
function afterwards(times: readonly number[], time: number): number {
  let count = 0;
  while (count < times.length && (times[times.length - 1 - count] ?? time) > time) count++;
  return count;
}
