import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { judgeTrace } from '../judge/judge-trace.ts';
import type { LoadSection } from '../report/load-section.ts';
import { makeReport } from '../report/make-report.ts';
import type { Report } from '../report/report.ts';
import { writeReports, writeStepSummary } from '../report/write-reports.ts';
import { readTrace } from '../trace/read-trace.ts';
import type { Trace } from '../trace/trace.ts';

/** Judges a recorded trace and gives its report. Pure but for the reading: the same file gives the same report, byte for byte. */
export async function judgeFile(
  traceFile: string,
  loadSection: (trace: Trace) => LoadSection | null = () => null,
): Promise<Report> {
  const trace = await readTrace(traceFile);
  return makeReport(trace, judgeTrace(trace), await digestOf(traceFile), loadSection(trace));
}

/** Judges the trace of a run and writes its reports beside it. */
export async function concludeRun(
  traceFile: string,
  loadSection?: (trace: Trace) => LoadSection | null,
): Promise<Report> {
  const report = await judgeFile(traceFile, loadSection);
  await writeReports(dirname(traceFile), report);
  await writeStepSummary(report, process.env);
  return report;
}

/** SHA-256 of a file in hex, in bounded memory. */
export async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
