import { join } from 'node:path';
import { FORMATS, isFormatName } from '../../report/formats.ts';
import { readReport } from '../../report/read-report.ts';
import { writeReports } from '../../report/write-reports.ts';
import type { Invocation } from '../arguments.ts';

/** Makes the reports of a run again from its report.json. */
export async function reportCommand({ positionals: [run = '.'], options }: Invocation): Promise<number> {
  const report = await readReport(join(run, FORMATS.json.file));
  const formats = options.format.filter(isFormatName);
  const written = await writeReports(options.out ?? run, report, formats.length > 0 ? formats : undefined);
  if (!options.quiet) process.stdout.write(`${written.join('\n')}\n`);
  return 0;
}
