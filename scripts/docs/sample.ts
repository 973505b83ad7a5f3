import { join } from 'node:path';
import { judgeFile } from '../../src/cli/judge-file.ts';
import { FORMATS } from '../../src/report/formats.ts';
import type { Page } from './pages.ts';

const SAMPLE = 'reports/sample';

/** The reports of the committed sample run, as this release makes them of its trace. */
export async function sampleReports(root: string): Promise<readonly Page[]> {
  const report = await judgeFile(join(root, SAMPLE, 'trace.ndjson'));
  return Object.values(FORMATS).map(({ file, render }) => ({ path: `${SAMPLE}/${file}`, text: render(report) }));
}
