import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cachedPath, findK6, loadFolder, pinnedVersion, requireK6 } from './k6.ts';
import { explainExit, k6Arguments, segments } from './k6-process.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'k6-test-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A program that answers `version` as k6 of this version does. */
async function fakeK6(path: string, version: string): Promise<string> {
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, `#!/bin/sh\necho 'k6 v${version} (go1.26.8, linux/amd64)'\n`);
  await chmod(path, 0o755);
  return path;
}

const find = (env: NodeJS.ProcessEnv) => findK6({ env, progress: () => undefined });

describe.skipIf(process.platform === 'win32')('findK6', () => {
  test('K6_PATH first', async () => {
    const path = await fakeK6(join(folder, 'mine'), '2.3.1');
    await fakeK6(join(folder, 'bin', 'k6'), '2.2.0');
    const k6 = await find({ K6_PATH: path, PATH: join(folder, 'bin') });
    expect(k6).toEqual({ path, version: '2.3.1' });
  });

  test.each(['1.3.0', '2.1.0', '20.2.0', 'no version'])(
    'K6_PATH with k6 %s is an error, not passed over',
    async (version) => {
      const path = await fakeK6(join(folder, 'old'), version);
      await expect(find({ K6_PATH: path, PATH: '' })).rejects.toThrow('which is not k6 of version 2.2 or later');
    },
  );

  test('then a fitting one on PATH; an old one there is passed over', async () => {
    await fakeK6(join(folder, 'new', 'k6'), '2.2.1');
    expect(await find({ PATH: join(folder, 'new') })).toEqual({ path: 'k6', version: '2.2.1' });
    await fakeK6(join(folder, 'old', 'k6'), '0.57.0');
    const env = { PATH: join(folder, 'old'), XDG_CACHE_HOME: folder };
    const built = await fakeK6(cachedPath('2.2.0', env), '2.2.0');
    expect(await find(env)).toEqual({ path: built, version: '2.2.0' });
  });

  test('with neither k6 nor Go it says the three ways to get it', async () => {
    const nowhere = find({ PATH: folder, XDG_CACHE_HOME: folder });
    await expect(nowhere).rejects.toThrow(/install Go[\s\S]*install k6 2\.2 or later[\s\S]*set K6_PATH/);
  });

  test('with a k6 that is too old, and without Go, it says so', async () => {
    await fakeK6(join(folder, 'bin', 'k6'), '0.40.0');
    const tooOld = find({ PATH: `${join(folder, 'bin')}:/bin`, XDG_CACHE_HOME: folder });
    await expect(tooOld).rejects.toThrow(
      /needs k6 2\.2 .* the k6 on PATH is 0\.40\.0, and Go, .* is not on this machine/,
    );
  });

  test('before a run, a k6 that is there is found, Go is enough, and neither is told at once', async () => {
    const env = { PATH: folder, XDG_CACHE_HOME: folder };
    await expect(requireK6(env)).rejects.toThrow(/install Go[\s\S]*set K6_PATH/);
    await fakeK6(join(folder, 'go'), '1.26.8');
    expect(await requireK6(env)).toBeNull();
    await fakeK6(join(folder, 'k6'), '2.2.1');
    expect(await requireK6(env)).toEqual({ path: 'k6', version: '2.2.1' });
  });

  test("a build that fails shows Go's words and leaves nothing behind", async () => {
    const go = join(folder, 'go');
    await writeFile(go, '#!/bin/sh\necho "no space left on device" >&2\nexit 1\n');
    await chmod(go, 0o755);
    const env = { PATH: folder, XDG_CACHE_HOME: join(folder, 'cache') };
    await expect(find(env)).rejects.toThrow('no space left on device');
  });
});

test('the pinned version is the one that the scripts were made for', async () => {
  expect(await pinnedVersion(loadFolder())).toBe('2.2.0');
});

describe('k6Arguments', () => {
  test('segments tile the whole', () => {
    expect([0, 1, 2].map((i) => segments(i, 3).segment)).toEqual(['0:1/3', '1/3:2/3', '2/3:1']);
    expect(segments(0, 3).sequence).toBe('0,1/3,2/3,1');
  });

  test('records are written raw and unbuffered, and one instance needs no segment', () => {
    const args = k6Arguments({ script: 's.ts', records: 'r.raw', instance: 0, instances: 1, own: null });
    expect(args).toEqual(expect.arrayContaining(['--log-format', 'raw', '--console-output', 'r.raw', 's.ts']));
    expect(args.join(' ')).not.toContain('segment');
    expect(args).not.toContain('--quiet');
  });
});

describe('explainExit', () => {
  test.each([
    [0, null, '', null],
    [
      0,
      null,
      'Uncaught (in promise) Error: x',
      'k6 exited with 0, but the script threw an error: Uncaught (in promise) Error: x',
    ],
    [
      107,
      null,
      'SyntaxError',
      'k6 exited with 107, the script did not load, or threw while it was starting: SyntaxError',
    ],
    [105, null, 'setTimeout 3 was stopped because the VU was interrupted', 'k6 was interrupted'],
    [null, 'SIGKILL' as const, '', 'k6 was killed (SIGKILL)'],
    [null, null, 'spawn ENOENT', 'k6 could not be started: spawn ENOENT'],
  ])('%s %s', (code, signal, said, words) => {
    expect(explainExit({ code, signal, said })).toBe(words);
  });
});
