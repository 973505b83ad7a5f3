import { join } from 'node:path';
import { compareReports, comparisonText } from '../../report/compare.ts';
import { FORMATS } from '../../report/formats.ts';
import { readReport } from '../../run-folder/read-report.ts';
import type { Invocation } from '../arguments.ts';
import { verdictLine } from '../print-report.ts';

/** Shows what changed between two runs; returns 1 if something got worse. */
export async function compareCommand({ positionals: [before = '', after = ''], options }: Invocation): Promise<number> {
  const [old, current] = await Promise.all([before, after].map((run) => readReport(join(run, FORMATS.json.file))));
  if (!old || !current) return 2;
  const comparison = compareReports(old, current);
  const text = comparisonText(old, current, comparison);
  process.stdout.write(
    options.json ? `${JSON.stringify(comparison, null, 2)}\n` : options.quiet ? verdictLine(text) : text,
  );
  return comparison.exitCode;
}
