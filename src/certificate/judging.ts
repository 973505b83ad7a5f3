import type { Report } from '../report/report.ts';
import type { Trace } from '../trace/trace.ts';

/**
 * The parts of the suite that a certificate rests on: they read a trace and judge it again. They are handed in, so that
 * attesting and verifying know nothing of how a verdict comes about.
 */
export interface Judging {
  /** Reads a whole trace, and says in sentences what is wrong with it: a broken chain, wrong counts, no footer … */
  readTrace(file: string): Promise<{ readonly trace: Trace; readonly problems: readonly string[] }>;
  /** The report that this release makes of a trace whose bytes have this SHA-256 (hex). */
  judge(trace: Trace, traceDigest: string): Report | Promise<Report>;
}
