import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isRequirementId } from '../../catalogue/catalogue.ts';
import { writeReportsAgain } from '../../run-folder/write-reports.ts';
import type { Invocation } from '../arguments.ts';
import { explain } from '../explain.ts';
import { judgeApart } from '../judge-apart.ts';
import { printReport } from '../print-report.ts';
import { UsageError } from '../usage-error.ts';
import { displayOf } from './run.ts';

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Judges a recorded trace again, offline, to the same verdicts. */
export async function judgeCommand(invocation: Invocation): Promise<number> {
  const { options, positionals } = invocation;
  const [given = ''] = positionals;
  // Like the other commands about a run, this one also accepts the run's folder.
  const trace = isFolder(given) ? join(given, 'trace.ndjson') : given;
  const report = await judgeApart(trace);
  const display = displayOf(invocation);
  if (options.out !== null) await writeReportsAgain(options.out, report, dirname(trace), display.reporters);
  if (options.explain !== null) {
    if (!isRequirementId(options.explain))
      throw new UsageError(`There is no requirement ${options.explain}. Run "list" to see all IDs.`);
    process.stdout.write(explain(report, options.explain));
    return report.result.exitCode;
  }
  printReport(report, display, trace);
  return report.result.exitCode;
}
