import { join } from 'node:path';
import { FORMATS } from '../../report/formats.ts';
import { readReport } from '../../run-folder/read-report.ts';
import { tellPipeline, writeReportsAgain } from '../../run-folder/write-reports.ts';
import type { Invocation } from '../arguments.ts';
import { displayOf } from './run.ts';

/** Makes the reports of a run again from its report.json. */
export async function reportCommand(invocation: Invocation): Promise<number> {
  const { options, positionals } = invocation;
  const [run = '.'] = positionals;
  const { reporters } = displayOf(invocation);
  const report = await readReport(join(run, FORMATS.json.file));
  const written = await writeReportsAgain(options.out ?? run, report, run, reporters);
  if (!options.quiet) process.stdout.write(`${written.join('\n')}\n`);
  // The run itself has already written annotations for its pipeline; this command prints only what the user asked for.
  await tellPipeline(report, reporters, {});
  return 0;
}
