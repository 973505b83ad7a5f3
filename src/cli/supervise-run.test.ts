import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { RunOptions } from '../drive/run.ts';
import { openDriveChannel } from '../drive/run-channel.ts';
import { packageRoot } from '../package-root.ts';
import { setAsideListeners } from './signals.test-support.ts';
import { superviseRun } from './supervise-run.ts';

setAsideListeners();

test('what fails in the end is told before reports are written', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'supervise-run-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const traceFile = join(folder, 'trace.ndjson');
  copyFileSync(join(packageRoot(), 'reports', 'sample', 'trace.ndjson'), traceFile);
  const written: string[] = [];
  const supervision = superviseRun({ traceFile } as RunOptions, {
    onProgress: () => {},
    onFailure: () => {},
    onJudged: () => void written.push(...readdirSync(dirname(traceFile))),
    bail: 0,
    reporters: [],
  });
  const drive = openDriveChannel(traceFile, () => {});
  drive.send({ type: 'ended', error: null });
  await supervision.report;
  expect(written).toEqual(['trace.ndjson']);
  expect(readdirSync(folder)).toContain('report.json');
  drive.close();
  await supervision.close();
});
