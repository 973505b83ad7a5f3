import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const BIN = fileURLToPath(new URL('../../../bin/size-chart-conformance.js', import.meta.url));
const FIXTURE = fileURLToPath(new URL('../../init/fixtures/size-chart.openapi.yaml', import.meta.url));

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'start-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const run = (...argv: readonly string[]) => runWith('a-made-up-key-1,a-made-up-key-2', ...argv);

function runWith(keys: string, ...argv: readonly string[]) {
  const env = { PATH: process.env.PATH, SIZE_CHART_KEYS: keys };
  return spawnSync(process.execPath, [BIN, ...argv], { cwd: folder, env, encoding: 'utf8', timeout: 100_000 });
}

test('init asks nothing where there is no terminal, and writes what validate accepts', () => {
  const made = run('init', '--openapi', FIXTURE);
  expect(made).toMatchObject({ status: 0, stderr: '' });
  expect(made.stdout).toContain('Wrote size-chart.profile.yaml. Operations: 12.');
  expect(readdirSync(folder).sort()).toEqual(['.env.example', 'size-chart.profile.yaml']);
  expect(run('validate')).toMatchObject({ status: 0, stderr: '' });
});

test('init does not advise to overwrite an .env', () => {
  expect(run('init').stdout).toContain('Copy .env.example to .env, and write the API keys into it.');
  rmSync(join(folder, 'size-chart.profile.yaml'));
  writeFileSync(join(folder, '.env'), 'SIZE_CHART_KEYS=a-made-up-key-1\n');
  const { stdout } = run('init');
  expect(stdout).toContain('Add SIZE_CHART_RESTRICTED_KEY, SIZE_CHART_REVOKED_KEY to .env: ');
  expect(stdout).not.toContain('Copy .env.example');
});

test('validate counts one key as one', () => {
  run('init', '--quiet');
  expect(run('validate').stdout).toMatch(/ operations at \S+; 2 full keys\.\n$/);
  expect(runWith('a-made-up-key-1', 'validate').stdout).toMatch(/; 1 full key\.\n$/);
});

test('validate refuses a waiver that has ended', () => {
  run('init', '--quiet');
  writeFileSync(join(folder, 'w.json'), '[{ "requirement": "HDR-1", "reason": "known", "until": "2020-01-31" }]');
  const { status, stderr } = run('validate', '--waivers', 'w.json');
  expect(status).toBe(2);
  expect(stderr).toContain('[0].until is past (2020-01-31), so the waiver no longer applies.');
});

test('init refuses a second time in one line, as a matter of usage', () => {
  expect(run('init', '--quiet')).toMatchObject({ status: 0, stdout: '' });
  const again = run('init');
  expect(again).toMatchObject({ status: 2, stdout: '' });
  expect(again.stderr).toMatch(/^size-chart-conformance: size-chart\.profile\.yaml already exists.*\n$/);
});

test('init tells in JSON what it wrote', () => {
  const { operations, checks } = JSON.parse(run('init', '--openapi', FIXTURE, '--json').stdout);
  expect(operations[0]).toEqual({ id: 'get-service', group: 'service', kind: 'read', checks: [] });
  expect(checks).toHaveLength(1);
});

test('doctor says what is in the way, leaves no file, and ends with 3', () => {
  run('init', '--quiet', '--base-url', 'http://127.0.0.1:9/api/v1');
  const { status, stdout } = run('doctor');
  expect(status).toBe(3);
  expect(stdout).toContain('Nothing could be tried: nothing listens at http://127.0.0.1:9/api/v1');
  expect(readdirSync(folder).sort()).toEqual(['.env.example', 'size-chart.profile.yaml']);
});
