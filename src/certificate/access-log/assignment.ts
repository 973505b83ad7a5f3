import type { LogEntry } from './entry.ts';
import { indexLines, type LinesFor, type Wanted } from './line-index.ts';

/**
 * Which request has which line of a log, each line at most one. What once has a line or a request keeps one, though not
 * always the same: a request may move to another line that fits it, to make room for one that has no other.
 */
export class Assignment {
  readonly #takers = new Map<LogEntry, Wanted>();
  readonly #lines = new Map<Wanted, LogEntry>();

  hasLine(wanted: Wanted): boolean {
    return this.#lines.has(wanted);
  }

  isTaken(line: LogEntry): boolean {
    return this.#takers.has(line);
  }

  /** Gives one of these lines to as many of the requests without one as possible. */
  extend(requests: readonly Wanted[], lines: readonly LogEntry[]): void {
    const linesFor = indexLines(lines, [...requests, ...this.#lines.keys()]);
    const exhausted = new Set<LogEntry>();
    const open = requests.filter((each) => !this.hasLine(each));
    // Who must have a line first takes the earliest, so that hardly anybody has to move.
    for (const each of open.sort((one, other) => one.time[1] - other.time[1])) this.#seat(each, linesFor, exhausted);
  }

  /**
   * @param exhausted lines from which no search reaches a free one: none of them will later, so they are searched once
   */
  #seat(wanted: Wanted, linesFor: LinesFor, exhausted: Set<LogEntry>): void {
    const reached = new Map<LogEntry, Wanted>();
    const queue = [wanted];
    for (const each of queue) {
      for (const line of linesFor(each)) {
        if (reached.has(line) || exhausted.has(line)) continue;
        reached.set(line, each);
        const taker = this.#takers.get(line);
        if (taker) queue.push(taker);
        else {
          this.#move(line, reached);
          return;
        }
      }
    }
    for (const line of reached.keys()) exhausted.add(line);
  }

  /**
   * Gives a free line to the request that reached it, the line that this one had to the request that reached that, and
   * so on.
   */
  #move(free: LogEntry, reached: ReadonlyMap<LogEntry, Wanted>): void {
    for (let line: LogEntry | undefined = free; line; ) {
      const taker = reached.get(line);
      if (!taker) return;
      const before = this.#lines.get(taker);
      this.#takers.set(line, taker);
      this.#lines.set(taker, line);
      line = before;
    }
  }
}
