import { execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadFolder } from '../load/k6.ts';
import { startK6 } from '../load/k6-process.ts';
import { specify } from '../load/load-plan.ts';
import { SCENARIO_NAMES } from '../load/load-spec.ts';
import { joinLogs } from '../load/records.test-support.ts';
import { KEYS, k6, serve } from './k6-run.test-support.ts';
import { archiveScript } from './load-operator.ts';
import { logOf, recorded } from './load-records.test-support.ts';

// Scaled windows are 3 s: on busy cores a wave of k6 misses one now and then. What fails twice is no such miss.
describe.skipIf(k6 === null)('k6 by itself (skipped where none is found or was built)', { retry: 1 }, () => {
  test.each(SCENARIO_NAMES)('k6 takes %s.ts as it is (some syntax makes it hang)', async (name) => {
    const args = ['inspect', join(loadFolder(), `${name}.ts`)];
    const { stdout } = await promisify(execFile)(k6?.path ?? '', args, { timeout: 10_000 });
    expect(Object.keys(JSON.parse(stdout).scenarios)).toEqual([name]);
  });

  /** How one instance of k6 is started by itself on a script. */
  const alone = (script: string, folder: string, records: string) => ({
    k6: k6?.path ?? '',
    script: join(loadFolder(), script),
    records,
    instance: 0,
    instances: 1,
    env: { SIZE_CHART_KEYS: KEYS.full.join(','), SIZE_CHART_LOAD_SPEC: join(folder, 'load.json') },
    own: null,
  });

  test('k6 killed in mid-run: what was announced is answered, or known to be unknown', async () => {
    const { profile, folder } = await serve();
    const spec = specify(profile, {
      scenario: 'isolation',
      keys: 2,
      run: 'kill',
      scale: 20,
      seconds: null,
      rate: null,
    });
    await archiveScript(k6 ?? expect.fail(), { ...spec, start: Date.now() + 1_500 }, folder);
    const records = join(folder, 'records.raw');
    const process_ = startK6(alone('isolation.ts', folder, records));
    // Killed by the system, not asked: as a machine that goes down.
    await recorded(records, 200);
    process.kill(process_.pid ?? expect.fail(), 'SIGKILL');
    expect(await process_.ended).toMatchObject({ signal: 'SIGKILL' });
    const load = joinLogs([await logOf(records)], { sameHost: true });
    expect(load.accounting.recorded).toBeGreaterThan(50);
    expect(load.accounting.sent).toBe(load.accounting.recorded + load.accounting.unanswered);
    expect(load.defects).toEqual([]);
  });

  test('k6 sends no more once the suite was killed', async () => {
    const { profile, folder } = await serve();
    const spec = specify(profile, { scenario: 'ramp', keys: 2, run: 'orphan', scale: 1, seconds: 60, rate: 600 });
    await archiveScript(k6 ?? expect.fail(), { ...spec, start: Date.now() + 1_500 }, folder);
    const records = join(folder, 'records.raw');
    const module = new URL('../load/k6-process.ts', import.meta.url).href;
    const text = `import { startK6 } from '${module}'; console.log(startK6(${JSON.stringify(alone('ramp.ts', folder, records))}).pid);`;
    const parent = spawn(process.execPath, ['--input-type=module', '--eval', text]);
    let pid = '';
    parent.stdout.on('data', (said: Buffer) => {
      pid += said;
    });
    onTestFinished(() => void parent.kill('SIGKILL'));
    await recorded(records, 10);
    parent.kill('SIGKILL');
    const state = () => promisify(execFile)('ps', ['-o', 'stat=', '-p', pid.trim()]).catch(() => ({ stdout: '' }));
    // Nothing is left of it, or only what the system has not removed yet.
    await expect.poll(async () => (await state()).stdout, { timeout: 20_000 }).toMatch(/^(Z|$)/);
  });

  test('by hand: no specification, keys from the environment', async () => {
    const { baseUrl, folder } = await serve();
    const records = join(folder, 'by-hand.raw');
    const env = {
      SIZE_CHART_KEYS: KEYS.full.join(','),
      SIZE_CHART_BASE_URL: baseUrl,
      SIZE_CHART_LOAD_START: String(Date.now() + 1_500),
    };
    const args = ['run', '--quiet', '--log-format=raw', '--console-output', records, join(loadFolder(), 'demo.ts')];
    await promisify(execFile)(k6?.path ?? '', args, { env, timeout: 30_000 });
    const load = joinLogs([await logOf(records)], { sameHost: true });
    expect(load.accounting).toMatchObject({ due: 279, sent: 279, recorded: 279 });
  });

  test('by hand: another machine needs the consent of the user', async () => {
    const env = { SIZE_CHART_KEYS: 'a', SIZE_CHART_BASE_URL: 'http://192.0.2.1/api/v1' };
    const args = ['run', '--quiet', join(loadFolder(), 'demo.ts')];
    const run = promisify(execFile)(k6?.path ?? '', args, { env, timeout: 10_000 });
    await expect(run).rejects.toMatchObject({
      code: 107,
      stderr: expect.stringContaining('192.0.2.1 is not this machine'),
    });
  });
});
