import { dirname } from 'node:path';
import { judgeTrace } from '../judge/judge-trace.ts';
import type { OnShare } from '../judge/judgement.ts';
import type { Reporter } from '../report/formats.ts';
import { makeReport } from '../report/make-report.ts';
import type { Report } from '../report/report.ts';
import { tellPipeline, writeReports } from '../run-folder/write-reports.ts';
import { readSealedTrace } from '../trace/read-trace.ts';
import type { Trace } from '../trace/trace.ts';
import { UsageError } from './usage-error.ts';

/** The report of a recorded trace: the same file gives the same report, byte for byte. */
export async function judgeFile(traceFile: string, onShare?: OnShare): Promise<Report> {
  const { trace, digest } = await readSealedTrace(traceFile);
  return reportOf(trace, digest, onShare);
}

/** The report of a trace whose bytes have this SHA-256 (hex). Pure. */
export function reportOf(trace: Trace, traceDigest: string, onShare?: OnShare): Report {
  return makeReport(trace, judgeTrace(trace, onShare), traceDigest);
}

/**
 * Judges the trace of a run and writes its reports beside it.
 *
 * @param judge judges the file: in this thread, or in one that a signal can end (`judge-apart.ts`)
 * @param reporters the reports to write; none: all
 * @param again what the user can do if they cannot be written
 * @throws UsageError where they cannot be written
 */
export async function concludeRun(
  traceFile: string,
  judge: (traceFile: string) => Promise<Report> = judgeFile,
  reporters: readonly Reporter[] = [],
  again = `judge ${traceFile} --out ${dirname(traceFile)}`,
): Promise<Report> {
  const report = await judge(traceFile);
  const folder = dirname(traceFile);
  try {
    await writeReports(folder, report, reporters);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : null;
    if (code === null) throw error;
    throw new UsageError(
      `The run is recorded, but its reports cannot be written to ${folder} (${code}): ${report.result.reason}. Make sure that this folder can be written and has room, then judge the run again: ${again}`,
    );
  }
  await tellPipeline(report, reporters, process.env);
  return report;
}
