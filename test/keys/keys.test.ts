import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cachedPath, loadFolder, pinnedVersion } from '../../src/load/k6.ts';
import type { Keys } from '../../src/profile/profile.ts';
import { referenceProfile } from '../../src/reference/profile.ts';
import { KEYS, type RunSetting, startRun, temporaryFolder } from '../end-to-end/command.test-support.ts';
import { httpServer, nothing, reference } from '../end-to-end/server.test-support.ts';
import { front } from '../worst-day/front.test-support.ts';
import { allKeys, leaks, leaksInFiles, watchProcessList } from './secrets.test-support.ts';

const SCALE = 20;

/** Keys with characters that encoders change, long enough for their halves to be found. */
const SECRETS: Keys = {
  full: [1, 2, 3, 4].map((index) => `Kj${index}+recognisable/token=${'wxyz'[index - 1]}Q7v~0sN${index}e&r%`),
  restricted: 'Rs0+recognisable/restricted=Tb5u~9kW&h%',
  revoked: 'Rv0+recognisable/revoked=Pc2d~4mL&x%z',
};

/** Runs a command, and looks for the keys in everything that it leaves, says and shows of itself while it runs. */
async function expectSilent(
  args: readonly string[],
  setting: Omit<RunSetting, 'cwd' | 'keys'> & { readonly keys?: Keys },
  codes: readonly (number | null)[],
  during: (kill: (signal: NodeJS.Signals) => void) => void = () => {},
): Promise<string> {
  const keys = allKeys(setting.keys ?? SECRETS);
  const cwd = temporaryFolder();
  // What it puts aside for a while lies there too, should it stay behind.
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
  ]).toEqual([]);
  return cwd;
}

describe('no key appears in any file, output or process list', () => {
  test('of a run that passes', async () => {
    const { baseUrl } = await reference(SCALE, { keys: SECRETS });
    const cwd = await expectSilent(['certify'], { baseUrl, scale: SCALE }, [0]);
    expect(existsSync(join(cwd, 'out', 'report.html'))).toBe(true);
  });

  test('of a run that fails', async () => {
    const { baseUrl } = await reference(SCALE, { keys: SECRETS, defect: 'limits-swapped' });
    await expectSilent(['certify'], { baseUrl, scale: SCALE }, [1]);
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

  test('of a target that sends back whatever it is sent', async () => {
    const baseUrl = await httpServer((request, response) => {
      const key = request.headers['x-api-key'] ?? request.headers.authorization ?? '';
      response.writeHead(200, {
        'X-RateLimit-Limit': `${key}`,
        'X-RateLimit-Remaining': encodeURIComponent(`${key}`),
        'X-RateLimit-Reset': Buffer.from(`${key}`).toString('base64'),
        'Retry-After': `${key}`,
        'WWW-Authenticate': `Bearer realm="${key}"`,
        Date: `${key}`,
        Server: `${key}`,
      });
      response.end(`${key}`);
    });
    await expectSilent(['certify'], { baseUrl, scale: SCALE }, [1]);
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

  test('of a load run', async ({ skip }) => {
    const cached = cachedPath(await pinnedVersion(loadFolder()), process.env);
    if (!existsSync(cached) && !process.env.K6_PATH) return skip('k6 is not here; the load tester would build it');
    const k6 = process.env.K6_PATH ?? cached;
    const { baseUrl } = await reference(1, { keys: SECRETS });
    const args = ['load', 'sustained', '--duration', '4', '--rate', '10'];
    await expectSilent(args, { baseUrl, env: { K6_PATH: k6 } }, [0, 1, 3]);
  });
});

test('the search would find the keys of these tests, were they there', async () => {
  const { baseUrl } = await reference(SCALE);
  const cwd = temporaryFolder();
  const { ended } = startRun(['check'], { baseUrl, cwd, scale: SCALE, env: { SIZE_CHART_TEST: 'x' } });
  await ended;
  // The profile is a file of the run's folder: what it holds is found.
  expect(leaksInFiles(['/categories/does-not-exist'], cwd)).not.toEqual([]);
  expect(leaksInFiles(allKeys(KEYS), cwd)).toEqual([]);
});
