import type { Trace } from '../../trace/trace.ts';
import type { LogEntry } from './entry.ts';

/** How a trace and an access log agree. */
export interface LogMatch {
  /** Answered requests, according to the trace. */
  readonly answered: number;
  /** Numbers of answered requests that the log lacks: it has no line with the method, path and status at that time. */
  readonly missing: readonly number[];
  /** Lines with the nonce that belong to no request of the trace. */
  readonly foreign: readonly LogEntry[];
  /** Lines with the nonce. */
  readonly withNonce: number;
  /** Seconds that the log's clock seems to be ahead of the run's. */
  readonly ahead: number;
}

/** ms: a log's time has whole seconds, and may be that of the first byte of the request or of the last byte of the answer. */
const TOLERANCE = 2_000;

/** How long after it was sent a lost request may still have been logged, in ms. */
const LOST_WITHIN = 120_000;

/**
 * Finds a separate line for each answered request of the trace. Lines with the nonce come first, and each must belong to a request,
 * answered or lost; other lines may be anybody's. The two clocks may differ: if lines have the nonce, it takes the difference at which most
 * lines match.
 */
export function matchLog(trace: Trace, entries: readonly LogEntry[]): LogMatch {
  const { epoch } = trace.header;
  const marked = entries.filter((each) => each.hasNonce).map(({ time }) => time);
  const recorded = trace.exchanges.flatMap(({ answered }) => (answered === null ? [] : [(epoch + answered) / 1000]));
  const distances = new Set([
    0,
    ...[0, 0.5, 1].map((share) => distance(ranked(recorded, share), ranked(marked, share))),
  ]);
  return [...distances]
    .map((ahead) => matchAt(trace, entries, ahead))
    .reduce((best, each) => (unexplained(each) < unexplained(best) ? each : best));
}

function unexplained({ missing, foreign }: LogMatch): number {
  return missing.length + foreign.length;
}

function ranked(times: readonly number[], share: number): number | undefined {
  return times.toSorted((one, other) => one - other)[Math.floor(share * (times.length - 1))];
}

function distance(run: number | undefined, log: number | undefined): number {
  return run === undefined || log === undefined ? 0 : log - run;
}

/** The match if the log's clock is this many ms ahead. */
function matchAt(trace: Trace, entries: readonly LogEntry[], ahead: number): LogMatch {
  const wall = (time: number): number => (trace.header.epoch + time) / 1000 + ahead;
  const during = (from: number, to: number): Wanted['time'] => [wall(from) - TOLERANCE, wall(to) + TOLERANCE];
  const answered = trace.exchanges.filter((each) => each.answered !== null);
  const lost = [...trace.exchanges.filter((each) => each.answered === null), ...trace.unanswered];
  const wanted = answered.map(({ seq, method, target, status, sent, answered: end }) => ({
    seq,
    method,
    target,
    status,
    time: during(sent, end ?? sent),
  }));
  const vanished = lost.map(({ seq, method, target, sent }) => ({
    seq,
    method,
    target,
    status: null,
    time: during(sent, sent + LOST_WITHIN * 1000),
  }));
  const marked = assign(
    wanted,
    entries.filter((each) => each.hasNonce),
  );
  const others = assign(
    marked.unmatched,
    entries.filter((each) => !each.hasNonce),
  );
  return {
    answered: answered.length,
    missing: others.unmatched.map(({ seq }) => seq),
    foreign: assign(vanished, marked.left).left,
    withNonce: entries.filter((each) => each.hasNonce).length,
    ahead: ahead / 1000,
  };
}

/** What a line must have, and between which times (ms since the Unix epoch). */
interface Wanted {
  readonly seq: number;
  readonly method: string;
  readonly target: string;
  /** Null: any. */
  readonly status: number | null;
  readonly time: readonly [number, number];
}

/** Assigns each request one matching line within its time, the earliest first, so every possible match is made. */
function assign(wanted: readonly Wanted[], entries: readonly LogEntry[]) {
  const left = new Set(entries.toSorted((one, other) => one.time - other.time));
  const byMethod = Map.groupBy(left, ({ method }) => method);
  const unmatched = wanted
    .toSorted((one, other) => one.time[1] - other.time[1])
    .filter(({ method, target, status, time: [from, to] }) => {
      const path = target.replace(/\?.*$/, '');
      const fits = (each: LogEntry): boolean =>
        left.has(each) &&
        each.time >= from &&
        each.time <= to &&
        each.path.endsWith(path) &&
        (status === null || each.status === status);
      const line = byMethod.get(method)?.find(fits);
      if (line) left.delete(line);
      return !line;
    });
  return { unmatched, left: [...left] };
}
