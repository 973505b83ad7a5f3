import { judgeTrace } from '../judge/judge-trace.ts';
import type { OnShare } from '../judge/judgement.ts';
import { makeReport } from '../report/make-report.ts';
import type { Report } from '../report/report.ts';
import { readSealedTrace } from '../trace/read-trace.ts';
import type { Trace } from '../trace/trace.ts';

/** The report of a recorded trace: the same file gives the same report, byte for byte. */
export async function judgeFile(traceFile: string, onShare?: OnShare): Promise<Report> {
  const { trace, digest } = await readSealedTrace(traceFile);
  return reportOf(trace, digest, onShare);
}

/** The report of a trace whose bytes have this SHA-256 (hex). Pure. */
export function reportOf(trace: Trace, traceDigest: string, onShare?: OnShare): Report {
  return makeReport(trace, judgeTrace(trace, onShare), traceDigest);
}
