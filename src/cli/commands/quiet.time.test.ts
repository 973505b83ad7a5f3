import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { referenceProfile } from '../../reference/profile.ts';

const BIN = fileURLToPath(new URL('../../../bin/size-chart-conformance.js', import.meta.url));
const SAMPLE = fileURLToPath(new URL('../../../reports/sample', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'quiet-'));
writeFileSync(join(folder, 'size-chart.profile.yaml'), referenceProfile('http://127.0.0.1:9/api/v1'));
afterAll(() => rmSync(folder, { recursive: true }));

function run(...argv: readonly string[]) {
  const env = { PATH: process.env.PATH, SIZE_CHART_KEYS: 'a-made-up-key-1,a-made-up-key-2' };
  return spawnSync(process.execPath, [BIN, ...argv], { cwd: folder, env, encoding: 'utf8', timeout: 100_000 });
}

test.each([
  [['judge', SAMPLE], 0, /conforms to the Size Chart Service API/],
  [['compare', SAMPLE, SAMPLE], 0, /^Nothing changed/],
  [['doctor'], 3, /^0 of \d+ requirements can be tested now/],
])('%j --quiet prints its verdict in one line', (argv, status, verdict) => {
  const { stdout, stderr, ...ended } = run(...argv, '--quiet');
  expect({ status: ended.status, stderr }).toEqual({ status, stderr: '' });
  expect(stdout).toMatch(/^.+\n$/);
  expect(stdout).toMatch(verdict);
});

test('certify --dry-run prints the plan as plan does, as JSON too, and --quiet hides no plan', () => {
  const plan = ['plan', '--seed', '7'];
  const dry = ['certify', '--dry-run', '--seed', '7'];
  const { stdout, status } = run(...dry, '--json');
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toEqual(JSON.parse(run(...plan, '--json').stdout));
  expect(run(...dry, '--quiet').stdout).toBe(run(...plan).stdout);
});

test('load --dry-run prints what it would send, as JSON too', () => {
  expect(JSON.parse(run('load', 'contention', '--dry-run', '--json').stdout)).toHaveProperty('requests');
  expect(run('load', 'contention', '--dry-run', '--quiet').stdout).toContain('Requests ');
});

test('an option that would do nothing is refused', () => {
  for (const argv of [
    ['judge', SAMPLE, '--only', 'HDR-1'],
    ['plan', '--quiet'],
    ['list', '--profile', 'nosuch.yaml'],
  ]) {
    expect(run(...argv)).toMatchObject({ status: 2, stdout: '' });
  }
  expect(run('list', '--coverage', '--profile', 'nosuch.yaml').stderr).toContain('nosuch.yaml');
});
