import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FORMATS } from '../report/formats.ts';
import { serialiseReport } from '../report/report.ts';
import { sampleReport } from '../report/sample-report.test-support.ts';
import { failingRun } from '../report/sample-runs.test-support.ts';
import { ReportProblem, readReport } from './read-report.ts';
import { tellPipeline, writeReports } from './write-reports.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reports-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('every format is written, and nothing else is left', async () => {
  const paths = await writeReports(join(folder, 'run'), failingRun);
  const files = Object.values(FORMATS).map(({ file }) => file);
  expect(paths).toEqual(files.map((file) => join(folder, 'run', file)));
  expect((await readdir(join(folder, 'run'))).sort()).toEqual(files.toSorted());
});

test('what is written is read back, and every format can be made from it again, byte for byte', async () => {
  await writeReports(folder, failingRun);
  const report = await readReport(folder);
  expect(report).toEqual(failingRun);
  for (const { file, render } of Object.values(FORMATS)) {
    expect(await readFile(join(folder, file), 'utf8')).toBe(render(report));
  }
});

test('only the reports asked for are written, and what all of them are made of', async () => {
  await writeReports(folder, sampleReport(), ['badge']);
  expect((await readdir(folder)).sort()).toEqual(['badge.svg', 'report.json']);
});

test('a report that cannot be read says which, why, and what to do', async () => {
  const file = join(folder, 'report.json');
  const problem = async (): Promise<string> => {
    const error = await readReport(folder).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ReportProblem);
    return error instanceof Error ? error.message.replace(file, 'FILE') : '';
  };
  expect(await problem()).toBe('FILE: there is no report here. Name the folder of a run, such as reports/<run>.');
  await writeFile(join(folder, 'trace.ndjson'), '');
  expect(await problem()).toMatch(/^FILE: there is no report here\. Make it from the trace: judge (\S+) --out \1$/);
  await writeFile(file, '{');
  expect(await problem()).toMatch(/^FILE: not JSON \(.*\)\. Make it from the trace: judge (\S+) --out \1$/);
  await writeFile(file, '[]');
  expect(await problem()).toMatch(
    /^FILE: the document must be object\. It is not a report of this version of the suite/,
  );
  await writeFile(file, serialiseReport({ ...sampleReport(), format: '2.0' }));
  expect(await problem()).toMatch(/^FILE: \/format must match pattern/);
});

test('the step summary goes to the file that GitHub names, and nowhere else', async () => {
  const file = join(folder, 'summary');
  await tellPipeline(sampleReport(), [], { GITHUB_STEP_SUMMARY: file });
  await tellPipeline(sampleReport(), [], { GITHUB_STEP_SUMMARY: file });
  await tellPipeline(sampleReport(), [], {});
  expect(await readFile(file, 'utf8')).toBe(FORMATS.markdown.render(sampleReport()).repeat(2));
});
