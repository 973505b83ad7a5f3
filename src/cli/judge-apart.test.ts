import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../package-root.ts';
import { serialiseReport } from '../report/report.ts';
import { ENDING_SIGNALS } from './ending-signals.ts';
import { JudgingEnded, judgeApart } from './judge-apart.ts';
import { judgeFile } from './judge-file.ts';
import { setAsideListeners } from './signals.test-support.ts';

setAsideListeners();

const SAMPLE = join(packageRoot(), 'reports', 'sample', 'trace.ndjson');

test('a trace judged apart gives the same report, byte for byte', async () => {
  expect(serialiseReport(await judgeApart(SAMPLE))).toBe(serialiseReport(await judgeFile(SAMPLE)));
});

test.each(ENDING_SIGNALS)('%s ends the judging, and says how to take it up again', async (signal) => {
  const listeners = process.listenerCount(signal);
  const judging = judgeApart(SAMPLE);
  process.emit(signal);
  await expect(judging).rejects.toThrow(JudgingEnded);
  await expect(judging).rejects.toThrow(`judge ${SAMPLE} --out`);
  expect(process.listenerCount(signal)).toBe(listeners);
});

test('a trace that cannot be read is said as it is elsewhere', async () => {
  await expect(judgeApart('/nowhere/trace.ndjson')).rejects.toThrow('/nowhere/trace.ndjson: there is no such file');
});
