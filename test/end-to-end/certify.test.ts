import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import type { Report } from '../../src/report/report.ts';
import {
  environment,
  expectInOrder,
  having,
  KEYS,
  reportOf,
  run,
  start,
  temporaryFolder,
} from './command.test-support.ts';
import { httpServer, reference } from './server.test-support.ts';

const SCALE = 20;

function verdicts(report: Report): Record<string, string> {
  return Object.fromEntries(report.verdicts.map(({ id, verdict }) => [id, verdict]));
}

test('a conforming deployment conforms, and a second run into its folder is refused without a request', async () => {
  const { baseUrl } = await reference(SCALE);
  const cwd = temporaryFolder();
  const folder = join(cwd, 'out');
  const first = await run(['certify'], { baseUrl, cwd, scale: SCALE });
  await expectInOrder(first, 0, folder);
  expect(first.stdout).toMatch(/^CONFORMS$/m);
  expect(readdirSync(folder).sort()).toEqual([
    'badge.svg',
    'ctrf.json',
    'gl-code-quality-report.json',
    'junit.xml',
    'report.html',
    'report.json',
    'summary.md',
    'summary.txt',
    'trace.ndjson',
  ]);
  const before = readFileSync(join(folder, 'report.json'), 'utf8');
  const second = await run(['certify'], { baseUrl, cwd, scale: SCALE });
  await expectInOrder(second, 2, folder);
  expect(second.stderr).toMatch(/already contains a run.*--out/);
  expect(readFileSync(join(folder, 'report.json'), 'utf8')).toBe(before);
});

test('the test runner by itself finds what the command line finds', async () => {
  const defect = 'limits-swapped';
  const { baseUrl } = await reference(SCALE, { defect });
  const cwd = temporaryFolder();
  const byCommand = await run(['certify'], { baseUrl, cwd, scale: SCALE });
  await expectInOrder(byCommand, 1, join(cwd, 'out'));

  const another = await reference(SCALE, { defect });
  const env = environment(KEYS, {
    SIZE_CHART_PROFILE: join(cwd, 'size-chart.profile.yaml'),
    SIZE_CHART_BASE_URL: another.baseUrl,
    SIZE_CHART_TIME_SCALE: String(SCALE),
    SIZE_CHART_OUT: join(cwd, 'by-runner'),
    NO_COLOR: '1',
  });
  const runner = join(packageRoot(), 'node_modules/vitest/vitest.mjs');
  const byRunner = await start([process.execPath, runner, 'run', '--project', 'conformance'], {
    cwd: packageRoot(),
    env,
  }).ended;
  expect(byRunner.code).toBe(1);
  const [one, other] = [reportOf(join(cwd, 'out')), reportOf(join(cwd, 'by-runner'))];
  expect(having(one, 'fail')).toContain('HDR-3');
  expect(verdicts(other)).toEqual(verdicts(one));
  for (const id of having(other, 'fail')) expect(byRunner.stdout).toContain(`× ${id} `);
});

test('--only judges what it names, and spends no budget where none is needed', async () => {
  const { baseUrl } = await reference(SCALE);
  const cwd = temporaryFolder();
  const folder = join(cwd, 'out');
  const ended = await run(['certify', '--only', 'AUTH-4,STATUS-404'], { baseUrl, cwd, scale: SCALE });
  await expectInOrder(ended, 0, folder);
  const report = reportOf(folder);
  expect(verdicts(report)).toEqual({ 'AUTH-4': 'pass', 'STATUS-404': 'pass' });
  expect(report.result.certifiable).toBe(false);
  expect(report.conditions.statuses['429']).toBeUndefined();
});

test('--json prints report.json and nothing else', async () => {
  const { baseUrl } = await reference(SCALE);
  const cwd = temporaryFolder();
  const folder = join(cwd, 'out');
  const ended = await run(['check', '--json'], { baseUrl, cwd, scale: SCALE });
  await expectInOrder(ended, 0, folder);
  expect(ended.stdout).toBe(readFileSync(join(folder, 'report.json'), 'utf8'));
});

test('--dry-run prints the plan, sends nothing and writes nothing', async () => {
  let connections = 0;
  const baseUrl = await httpServer(() => {
    connections += 1;
  });
  const cwd = temporaryFolder();
  const ended = await run(['certify', '--dry-run'], { baseUrl, cwd, out: null });
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  expect(ended.stdout).toMatch(/At most \d+ requests, about \d+ s/);
  expect(connections).toBe(0);
  expect(existsSync(join(cwd, 'out'))).toBe(false);
  expect(existsSync(join(cwd, 'reports'))).toBe(false);
});

test('--max-requests ends the run in order when they are spent', async () => {
  const { baseUrl } = await reference(SCALE);
  const cwd = temporaryFolder();
  const folder = join(cwd, 'out');
  const ended = await run(['certify', '--max-requests', '400'], { baseUrl, cwd, scale: SCALE });
  await expectInOrder(ended, 3, folder);
  const report = reportOf(folder);
  expect(report.run.outcome).toBe('interrupted');
  expect(report.conditions.requests).toBeLessThanOrEqual(400);
  expect(report.conditions.notes.join()).toMatch(/than the 400 that max_requests allows/);
  expect(having(report, 'fail')).toEqual([]);
});
