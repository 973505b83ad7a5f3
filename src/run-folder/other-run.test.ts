import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FORMATS } from '../report/formats.ts';
import { type Report, serialiseReport } from '../report/report.ts';
import { sampleLoad } from '../report/sample-load.test-support.ts';
import { failingRun } from '../report/sample-runs.test-support.ts';
import { ReportError, writeReportsAgain } from './write-reports.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'other-run-'));
});
afterEach(() => rmSync(root, { recursive: true }));

/** The folder of a run whose trace has this text, and its report. */
function runFolder(name: string, trace: string): { readonly folder: string; readonly report: Report } {
  const folder = join(root, name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'trace.ndjson'), trace);
  const digest = createHash('sha256').update(trace).digest('hex');
  const report = { ...failingRun, digests: { ...failingRun.digests, trace: digest } };
  writeFileSync(join(folder, FORMATS.json.file), serialiseReport(report));
  return { folder, report };
}

const contents = (folder: string): readonly (readonly [string, string])[] =>
  readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]);

async function refused(folder: string, report: Report, source: string): Promise<string> {
  const before = contents(folder);
  const error = await writeReportsAgain(folder, report, source).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ReportError);
  expect(contents(folder)).toEqual(before);
  return error instanceof Error ? error.message : '';
}

test("reports do not replace another run's, whichever of its files are there", async () => {
  const mine = runFolder('mine', 'my trace\n');
  const other = runFolder('other', 'another trace\n');
  expect(await refused(other.folder, mine.report, mine.folder)).toMatch(
    /other holds the trace of another run, so no report was written there\. Choose another folder with --out\.$/,
  );
  rmSync(join(other.folder, FORMATS.json.file));
  expect(await refused(other.folder, mine.report, mine.folder)).toContain('the trace of another run');
  const reportOnly = runFolder('report-only', 'a third\n');
  rmSync(join(reportOnly.folder, 'trace.ndjson'));
  expect(await refused(reportOnly.folder, mine.report, mine.folder)).toContain('the report of another run');
  writeFileSync(join(reportOnly.folder, FORMATS.json.file), 'no report');
  expect(await refused(reportOnly.folder, mine.report, mine.folder)).toContain('the report of another run');
});

test('a run gets its own reports again: in place, in a copy, and in a folder of its reports', async () => {
  const { folder, report } = runFolder('mine', 'my trace\n');
  const copy = join(root, 'copy');
  cpSync(folder, copy, { recursive: true });
  for (const [at, source] of [
    [folder, folder],
    [copy, folder],
    [join(root, 'new'), folder],
    [join(root, 'new'), folder],
  ] as const) {
    expect(await writeReportsAgain(at, report, source)).toHaveLength(Object.keys(FORMATS).length);
  }
  writeFileSync(join(folder, 'trace.ndjson'), 'my trace\nwhich has grown\n');
  await writeReportsAgain(folder, report, `${folder}/.`);
});

test('the figures of a load run, which judging does not give again, are kept', async () => {
  const { folder, report } = runFolder('load', 'a trace under load\n');
  const loaded = { ...report, load: sampleLoad() };
  await writeReportsAgain(folder, loaded, folder);
  expect(await refused(folder, { ...report, load: null }, folder)).toContain('the figures of a load run');
  await writeReportsAgain(folder, loaded, folder);
});

test('a folder that cannot be written is named, with what to do', async () => {
  const { report, folder } = runFolder('mine', 'my trace\n');
  writeFileSync(join(root, 'file'), '');
  const error = await writeReportsAgain(join(root, 'file'), report, folder).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ReportError);
  expect(String(error)).toMatch(/cannot be written to .*file \((ENOTDIR|EEXIST)\)\. Make sure .* with --out\.$/);
});

test('a certificate keeps the report that it covers', async () => {
  const { folder, report } = runFolder('mine', 'my trace\n');
  writeFileSync(join(folder, 'envelope.json'), '{}');
  await writeReportsAgain(folder, report, folder);
  const differently = { ...report, target: { ...report.target, name: 'renamed' } };
  expect(await refused(folder, differently, folder)).toContain('a certificate (envelope.json) of another report');
});
