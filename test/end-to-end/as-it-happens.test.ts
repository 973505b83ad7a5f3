import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import { readTrace } from '../../src/trace/read-trace.ts';
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
import { reference } from './server.test-support.ts';

const SCALE = 10;

/** The failures told while a command ran, with the second of the run in which each was proved; null: at the end. */
function told(stderr: string): readonly { readonly id: string; readonly second: number | null }[] {
  return [...stderr.matchAll(/^FAIL ([\w-]+).*? \((?:([\d.]+) s|at the end)\): /gm)].map(([, id = '', second]) => ({
    // That clause 8 is broken is told before the requirement has a name.
    id: id === 'clause' ? 'limits' : id,
    second: second === undefined ? null : Number(second),
  }));
}

test.each(['missing-410', 'created-201', 'limit-plus-one'])(
  'what fails is told once, and no failure told is missing in the report, nor the other way round: %s',
  async (defect) => {
    const { baseUrl } = await reference(SCALE, { defect });
    const cwd = temporaryFolder();
    const ended = await run(['certify', '--json'], { baseUrl, cwd, scale: SCALE });
    await expectInOrder(ended, 1, join(cwd, 'out'));
    const failures = told(ended.stderr);
    const named = failures.map(({ id }) => id).filter((id) => id !== 'limits');
    expect(named.sort()).toEqual(having(reportOf(join(cwd, 'out')), 'fail').sort());
    expect(named).not.toEqual([]);
    const { notes } = await readTrace(join(cwd, 'out', 'trace.ndjson'));
    const shown = notes.filter(({ code }) => code === 'failure-shown').map(({ text }) => text);
    expect(shown).toEqual(failures.filter(({ second }) => second !== null).map(({ id }) => id));
  },
);

test('what is found only at the end is told once: in the list of failures', async () => {
  const { baseUrl } = await reference(SCALE, { defect: 'limit-plus-one' });
  const cwd = temporaryFolder();
  const ended = await run(['certify'], { baseUrl, cwd, scale: SCALE });
  expect(told(ended.stderr).filter(({ second }) => second === null)).toEqual([]);
  expect(having(reportOf(join(cwd, 'out')), 'fail')).toContain('LIMIT-R');
  expect(`${ended.stdout}${ended.stderr}`.match(/^(✗|FAIL) LIMIT-R /gm)).toEqual(['✗ LIMIT-R ']);
});

test('what one answer proves is told with that answer, and --bail ends the run there, in order', async () => {
  const { baseUrl } = await reference(SCALE, { defect: 'created-201' });
  const cwd = temporaryFolder();
  const folder = join(cwd, 'out');
  const ended = await run(['certify', '--bail'], { baseUrl, cwd, scale: SCALE });
  await expectInOrder(ended, 1, folder);
  const [first] = told(ended.stderr);
  const { exchanges, notes, footer } = await readTrace(join(folder, 'trace.ndjson'));
  const answer = exchanges.find(({ status }) => status === 201);
  expect(first?.second).toBeCloseTo((answer?.answered ?? 0) / 1e6, 0);
  expect(footer?.outcome).toBe('interrupted');
  expect(notes.at(-1)).toMatchObject({ code: 'interrupted', text: 'ended early by --bail, after a failure' });
  const { result, run: conditions } = reportOf(folder);
  expect(result).toMatchObject({ overall: 'does not conform', exitCode: 1, certifiable: false });
  expect(conditions).toMatchObject({ outcome: 'interrupted', interruption: 'ended early by --bail, after a failure' });
});

/** A profile of a server with a defect, and the test runner for it, which leaves its run in the folder `by-runner`. */
async function profiled(defect: string) {
  const { baseUrl } = await reference(SCALE, { defect });
  const cwd = temporaryFolder();
  await run(['certify', '--dry-run'], { baseUrl, cwd });
  const env = environment(KEYS, {
    SIZE_CHART_PROFILE: join(cwd, 'size-chart.profile.yaml'),
    SIZE_CHART_TIME_SCALE: String(SCALE),
    SIZE_CHART_OUT: join(cwd, 'by-runner'),
    NO_COLOR: '1',
  });
  const runner = [process.execPath, join(packageRoot(), 'node_modules/vitest/vitest.mjs'), 'run'];
  const byRunner = (...asked: readonly string[]) =>
    start([...runner, '--project', 'conformance', ...asked], { cwd: packageRoot(), env }).ended;
  return { cwd, byRunner };
}

test('the test runner plans for what it is asked for by name, and each failure carries its evidence', async () => {
  const { cwd, byRunner } = await profiled('no-key-403');
  const ended = await byRunner('-t', 'AUTH-4');
  expect(ended.code).toBe(1);
  expect(ended.stdout).toContain('× AUTH-4 401 with no key');
  expect(ended.stdout + ended.stderr).toMatch(/fail \(.+ the run, \d+ requests bear on it\)/);
  expect(ended.stdout + ended.stderr).toContain('judged by: src/judge/authentication.ts');
  const { verdicts, conditions } = reportOf(join(cwd, 'by-runner'));
  expect(verdicts.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual(['AUTH-4 fail']);
  expect(conditions.requests).toBeLessThan(150);
});

test('when --bail ends the test runner, no requirement that does not pass is shown as passed', async () => {
  const { cwd, byRunner } = await profiled('no-key-403');
  const results = join(cwd, 'runner.json');
  const asked = ['-t', 'AUTH-4|STATUS-401', '--bail', '1', '--reporter', 'json', '--outputFile', results];
  expect((await byRunner(...asked)).code).toBe(1);
  const { testResults } = JSON.parse(readFileSync(results, 'utf8')) as {
    testResults: { assertionResults: { title: string; status: string }[] }[];
  };
  const status = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ title }) => /^(AUTH-4|STATUS-401) /.test(title))
    .map((each) => each.status);
  expect(status.sort()).toEqual(['failed', 'skipped']);
});
