import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cachedPath, loadFolder, pinnedVersion } from '../../src/load/k6.ts';
import type { Keys } from '../../src/profile/profile.ts';
import { referenceProfile } from '../../src/reference/profile.ts';
import type { Report } from '../../src/report/report.ts';
import { KEYS, type RunSetting, startRun, temporaryFolder } from '../end-to-end/command.test-support.ts';
import { nothing, reference } from '../end-to-end/server.test-support.ts';
import { front } from '../worst-day/front.test-support.ts';
import { echoingTarget } from './echo.test-support.ts';
import { allKeys, leaks, leaksInFiles, watchProcessList } from './secrets.test-support.ts';

const SCALE = 20;
const K6 = process.env.K6_PATH ?? cachedPath(await pinnedVersion(loadFolder()), process.env);

/**
 * Keys with characters that encoders change, without words that occur in reports, and long enough to find their halves.
 */
const SECRETS: Keys = {
  full: [1, 2, 3, 4].map((index) => `Kj${index}+q8Zw2tYb5/xCg4H=${'wxyz'[index - 1]}Q7v~0sN${index}e&r%`),
  restricted: 'Rs0+m3Vd7yLp/nE6j2Gf=Tb5u~9kW&h%',
  revoked: 'Rv0+u4Qs9hXo/zB8k1Tw=Pc2d~4mL&x%z',
};

/**
 * Values of extra headers: of all requests, and of one operation. They are in the profile, and in nothing that a run
 * writes.
 */
const HEADER_VALUES = ['Qx7Lm2Vz9Rk4/Fb8+Jn3Yt6', 'Wp3Nd8Ty5Hs1+Gc6/Zk9Vr4'];

function withHeaders(baseUrl: string): string {
  const [all, own] = HEADER_VALUES.map((value) => JSON.stringify(value));
  const operation = 'id: get-service,';
  return referenceProfile(baseUrl)
    .replace(operation, `${operation} headers: { X-Operation: ${own} },`)
    .concat(`\nhttp: { headers: { X-Tenant: ${all} } }\n`);
}

/** Runs a command, and searches for the keys in all its files and output, and in the process list while it runs. */
async function expectSilent(
  args: readonly string[],
  setting: Omit<RunSetting, 'cwd' | 'keys'> & { readonly keys?: Keys },
  codes: readonly (number | null)[],
  during: (kill: (signal: NodeJS.Signals) => void) => void = () => {},
): Promise<string> {
  const keys = allKeys(setting.keys ?? SECRETS);
  const cwd = temporaryFolder();
  // Its temporary files are there too, if any remain.
  const aside = join(cwd, 'aside');
  mkdirSync(aside);
  const env = { TMPDIR: aside, ...setting.env };
  const command = startRun(args, { keys: SECRETS, ...setting, env, cwd });
  const processes = watchProcessList(command.child.pid ?? 0);
  during((signal) => command.child.kill(signal));
  const ended = await command.ended;
  const { seen, lines } = processes.end();
  expect(codes, ended.stderr).toContain(ended.code);
  expect(seen).toBeGreaterThan(0);
  expect([
    ...leaks(keys, 'stdout', ended.stdout),
    ...leaks(keys, 'stderr', ended.stderr),
    ...lines.flatMap((line) => leaks(keys, `process list: ${line.slice(0, 60)}`, line)),
    ...leaksInFiles(keys, cwd),
    ...[join(cwd, 'out'), aside].flatMap((folder) => (existsSync(folder) ? leaksInFiles(HEADER_VALUES, folder) : [])),
  ]).toEqual([]);
  return cwd;
}

/** The arguments of all programs that a script starts, with a curl that sends nothing. */
function startedBy(script: string, cwd: string): string {
  const list = join(cwd, 'started');
  const folder = join(cwd, 'programs');
  mkdirSync(folder, { recursive: true });
  const note = `#!/bin/sh\n{ printf '%s ' "$0" "$@"; echo; } >>'${list}'\n`;
  writeFileSync(join(folder, 'curl'), `${note}cat >/dev/null\n`, { mode: 0o755 });
  writeFileSync(join(folder, 'sleep'), note, { mode: 0o755 });
  const env = { PATH: `${folder}:${process.env.PATH}`, SIZE_CHART_KEYS: SECRETS.full.join() };
  execFileSync('sh', ['-c', script], { env });
  const started = readFileSync(list, 'utf8');
  expect(started).toContain('/curl ');
  rmSync(list);
  return started;
}

describe('no key appears in any file, output or process list', () => {
  test('of a run that passes', async () => {
    const { baseUrl } = await reference(SCALE, { keys: SECRETS });
    const profile = withHeaders(baseUrl);
    const cwd = await expectSilent(['certify'], { baseUrl, profile, scale: SCALE }, [0]);
    expect(existsSync(join(cwd, 'out', 'report.html'))).toBe(true);
  });

  test('of a run that fails', async () => {
    const { baseUrl } = await reference(SCALE, { keys: SECRETS, defect: 'limits-swapped' });
    await expectSilent(['certify'], { baseUrl, scale: SCALE }, [1]);
  });

  test('of the scripts that show its failures again', async () => {
    const { baseUrl } = await reference(SCALE, { keys: SECRETS, defect: 'limits-swapped' });
    const cwd = await expectSilent(['check'], { baseUrl, scale: SCALE }, [1]);
    const { verdicts } = JSON.parse(readFileSync(join(cwd, 'out', 'report.json'), 'utf8')) as Report;
    const scripts = verdicts.flatMap(({ script }) => script ?? []);
    expect(scripts).not.toEqual([]);
    for (const script of scripts) expect(leaks(allKeys(SECRETS), 'process list', startedBy(script, cwd))).toEqual([]);
  });

  test('of a quick check, as JSON', async () => {
    const { baseUrl } = await reference(SCALE, { keys: SECRETS });
    await expectSilent(['check', '--json'], { baseUrl, scale: SCALE }, [0]);
  });

  test.each(['SIGINT', 'SIGKILL'] as const)('of a run that %s ends', async (signal) => {
    const { baseUrl } = await reference(1, { keys: SECRETS });
    let end = (): void => {};
    const target = await front(baseUrl, {
      handle: ({ number, pass }) => {
        if (number === 150) end();
        pass();
      },
    });
    await expectSilent(['certify'], { baseUrl: target }, [3, null], (kill) => {
      end = () => kill(signal);
    });
  });

  test.each([
    ['check', []],
    ['certify', []],
    ['doctor', []],
    ['property', ['--seconds', '30', '--requests', '200']],
  ])('of a target that writes what it is sent into all of its answers, in any encoding: %s', async (command, args) => {
    await expectSilent(
      [command, ...args],
      { baseUrl: await echoingTarget(), scale: SCALE, out: command === 'doctor' ? null : 'out' },
      [0, 1, 3],
    );
  });

  test('of a target that writes what it is sent into all of its answers, in any encoding: replay', async () => {
    const baseUrl = await echoingTarget();
    const cwd = await expectSilent(['check'], { baseUrl, scale: SCALE }, [1]);
    for (const id of ['AUTH-4', 'HDR-2']) {
      await expectSilent(['replay', join(cwd, 'out'), id], { baseUrl, out: `again-${id}` }, [1]);
    }
  });

  test('where nothing listens', async () => {
    await expectSilent(['certify'], { baseUrl: await nothing() }, [3]);
  });

  test.each([
    [
      'a key in the base URL',
      { baseUrl: `http://user:${encodeURIComponent(SECRETS.full[0] ?? '')}@127.0.0.1:9/api/v1` },
    ],
    ['keys with a line break', { env: { SIZE_CHART_KEYS: `${SECRETS.full[0]}\n${SECRETS.full[1]}` } }],
    ['one key named twice', { env: { SIZE_CHART_KEYS: `${SECRETS.full[0]},${SECRETS.full[0]}` } }],
  ])('of a usage error: %s', async (_, setting) => {
    const profile = referenceProfile('http://127.0.0.1:9/api/v1');
    const cwd = temporaryFolder();
    const args = 'baseUrl' in setting ? ['certify', '--base-url', setting.baseUrl] : ['certify'];
    const { ended } = startRun(args, { baseUrl: '', cwd, profile, keys: SECRETS, ...setting });
    const { code, stdout, stderr } = await ended;
    expect(code).toBe(2);
    expect([...leaks(allKeys(SECRETS), 'output', stdout + stderr), ...leaksInFiles(allKeys(SECRETS), cwd)]).toEqual([]);
  });

  // The load tester would build k6 if it were missing.
  describe.skipIf(!existsSync(K6))('of a load run', () => {
    const args = ['load', 'sustained', '--duration', '4', '--rate', '60'];
    const env = { K6_PATH: K6 };

    test('on a target that conforms, and gets the extra headers all the same', async () => {
      const arrived = new Set<unknown>();
      const baseUrl = await front((await reference(1, { keys: SECRETS })).baseUrl, {
        handle: ({ request: { headers }, pass }) => {
          arrived.add(headers['x-tenant']).add(headers['x-operation']);
          pass();
        },
      });
      await expectSilent(args, { baseUrl, profile: withHeaders(baseUrl), env }, [0, 1, 3]);
      expect(arrived).toEqual(new Set([...HEADER_VALUES, undefined]));
    });

    test('on a target that writes what it is sent into all of its answers', async () => {
      await expectSilent(args, { baseUrl: await echoingTarget(), env }, [0, 1, 3]);
    });

    test('that is prepared for Kubernetes', async () => {
      const baseUrl = 'https://charts.example/api/v1';
      const prepare = [...args, '--kubernetes', 'load', '--i-may-load-this-target'];
      const cwd = await expectSilent(prepare, { baseUrl, profile: withHeaders(baseUrl), env }, [0]);
      expect(existsSync(join(cwd, 'out', 'archive.tar'))).toBe(true);
    });
  });
});

test('the search would find the keys of these tests, were they there', async () => {
  const { baseUrl } = await reference(SCALE);
  const cwd = temporaryFolder();
  const { ended } = startRun(['check'], { baseUrl, cwd, scale: SCALE, env: { SIZE_CHART_TEST: 'x' } });
  await ended;
  // The profile is in the run's folder, so its content is searched too.
  expect(leaksInFiles(['/categories/does-not-exist'], cwd)).not.toEqual([]);
  expect(leaksInFiles(allKeys(KEYS), cwd)).toEqual([]);
});
