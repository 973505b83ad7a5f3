import { dirname } from 'node:path';
import { codeOf } from '../caught.ts';
import type { Reporter } from '../report/formats.ts';
import type { Report } from '../report/report.ts';
import { tellPipeline, writeReports } from '../run-folder/write-reports.ts';
import { UsageError } from './usage-error.ts';

/**
 * Judges the trace of a run and writes its reports beside it.
 *
 * @param judge judges the file: in this thread (`judge-file.ts`), or in one that a signal can end (`judge-apart.ts`)
 * @param reporters the reports to write; none: all
 * @param again what the user can do if they cannot be written
 * @throws UsageError where they cannot be written
 */
export async function concludeRun(
  traceFile: string,
  judge: (traceFile: string) => Promise<Report>,
  reporters: readonly Reporter[] = [],
  again = `judge ${traceFile} --out ${dirname(traceFile)}`,
): Promise<Report> {
  const report = await judge(traceFile);
  const folder = dirname(traceFile);
  try {
    await writeReports(folder, report, reporters);
  } catch (error) {
    const code = codeOf(error);
    if (code === null) throw error;
    throw new UsageError(
      `The run is recorded, but its reports cannot be written to ${folder} (${code}): ${report.result.reason}. Make sure that this folder can be written and has room, then judge the run again: ${again}`,
    );
  }
  await tellPipeline(report, reporters, process.env);
  return report;
}
