import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../package-root.ts';
import { serialiseReport } from '../report/report.ts';
import { readSealedTrace } from '../trace/read-trace.ts';
import { reportOf } from './judge-file.ts';
import { reportApart } from './report-apart.ts';

test('a trace that was read is judged apart to the same report, byte for byte, while this thread goes on', async () => {
  const { trace, digest } = await readSealedTrace(join(packageRoot(), 'reports', 'sample', 'trace.ndjson'));
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 1);
  const report = await reportApart(trace, digest);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(1);
  expect(serialiseReport(report)).toBe(serialiseReport(reportOf(trace, digest)));
});
