import { NOT_RECORDED } from '../../profile/redact.ts';
import type { Trace } from '../../trace/trace.ts';
import { Assignment } from './assignment.ts';
import type { LogEntry } from './entry.ts';
import type { Wanted } from './line-index.ts';

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

/**
 * ms: a log's time has whole seconds, and may be that of the first byte of the request or of the last byte of the
 * answer.
 */
const TOLERANCE = 2_000;

/** How long after it was sent a lost request may still have been logged, in ms. */
const LOST_WITHIN = 120_000;

/**
 * Finds a separate line for each answered request of the trace. Lines with the nonce come first, and each must belong
 * to a request, answered or lost; other lines may be anybody's. If the trace does not have the target of a request, its
 * line may have any. The two clocks may differ: if lines have the nonce, it takes the difference at which most lines
 * match.
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
  const { answered, lost } = wantedOf(trace, ahead);
  const marked = entries.filter((each) => each.hasNonce);
  const assignment = new Assignment();
  assignment.extend(answered, marked);
  assignment.extend(lost, marked);
  assignment.extend(answered, entries);
  return {
    answered: answered.length,
    missing: answered.filter((each) => !assignment.hasLine(each)).map(({ seq }) => seq),
    foreign: marked.filter((each) => !assignment.isTaken(each)),
    withNonce: marked.length,
    ahead: ahead / 1000,
  };
}

/** What the log must have of the answered requests, and may have of those whose answer was lost. */
function wantedOf(trace: Trace, ahead: number): Readonly<Record<'answered' | 'lost', readonly Wanted[]>> {
  const wall = (time: number): number => (trace.header.epoch + time) / 1000 + ahead;
  const during = (from: number, to: number): Wanted['time'] => [wall(from) - TOLERANCE, wall(to) + TOLERANCE];
  const answered = trace.exchanges.filter((each) => each.answered !== null);
  const lost = [...trace.exchanges.filter((each) => each.answered === null), ...trace.unanswered];
  return {
    answered: answered.map(({ seq, method, target, status, sent, answered: end }) => {
      return { seq, method, path: pathOf(target), status, time: during(sent, end ?? sent) };
    }),
    lost: lost.map(({ seq, method, target, sent }) => {
      return { seq, method, path: pathOf(target), status: null, time: during(sent, sent + LOST_WITHIN * 1000) };
    }),
  };
}

/**
 * The path of a recorded target. Null if it was not recorded, because it might have revealed a key: the log may have
 * any.
 */
function pathOf(target: string): string | null {
  return target === NOT_RECORDED ? null : target.replace(/\?.*$/, '');
}
