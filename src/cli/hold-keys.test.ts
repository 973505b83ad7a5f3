import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { holdKeys } from './hold-keys.ts';

const KEYS = { full: ['first-full-key-4711', 'second-full-key-0815'], restricted: 'restricted-key-42', revoked: null };
const baseUrl = 'https://charts.example/api/v1';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'size-chart-holds-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const hold = <T>(work: () => T, over: object = {}): Promise<T> =>
  holdKeys({ baseUrl, keys: KEYS, folder, ...over }, async () => work());
const holds = () => readdirSync(folder).filter((name) => name !== 'salt');

test('a key is held while the work is done, and free after it, however that ended', async () => {
  expect(await hold(holds)).toHaveLength(3);
  expect(holds()).toEqual([]);
  await expect(
    hold(() => {
      throw new Error('the disk is full');
    }),
  ).rejects.toThrow('the disk is full');
  expect(await hold(() => 'again')).toBe('again');
});

test('a second run on one of the keys is refused, and says which key, whose process, and what to do', async () => {
  const second = { ...KEYS, full: ['another-full-key', KEYS.full[1] ?? ''], restricted: null };
  const [attempt, left] = await holdKeys({ baseUrl, keys: KEYS, folder }, async () => [
    await hold(() => 'sent', { keys: second }).catch((error: Error) => error),
    holds(),
  ]);
  expect(attempt).toMatchObject({ name: 'UsageError' });
  expect(String(attempt)).toMatch(new RegExp(`process ${process.pid}, .* uses key-2 on this target.*other keys`));
  // What it had taken before it was refused is given back, and what the first run holds stays held.
  expect(left).toHaveLength(3);
  expect(holds()).toEqual([]);
});

test('another target, or other keys, are none of its business', async () => {
  const other = { full: ['third-full-key'], restricted: null, revoked: null };
  expect(await hold(() => hold(() => 'sent', { keys: other }))).toBe('sent');
  expect(await hold(() => hold(() => 'sent', { baseUrl: 'https://other.example/api/v1' }))).toBe('sent');
});

test('this machine is one target by each of its names, and another port is another', async () => {
  const here = (url: string) => hold(() => 'sent', { baseUrl: url });
  await hold(
    async () => {
      for (const host of ['localhost', '127.0.0.1', '[::1]'])
        await expect(here(`http://${host}:8080/v2`)).rejects.toThrow('on this target');
      expect(await here('http://localhost:8081/v2')).toBe('sent');
    },
    { baseUrl: 'http://localhost:8080/api/v1' },
  );
});

test('what a killed run left behind is taken over, and so is what cannot be read', async () => {
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  const left = [JSON.stringify({ pid, since: Date.now() }), '{"pid":', JSON.stringify({ pid: 1, since: 0 })];
  const names = await hold(holds);
  for (const [index, name] of names.entries()) writeFileSync(join(folder, name), left[index] ?? '');
  expect(await hold(() => 'sent')).toBe('sent');
  writeFileSync(join(folder, 'of-another-target.json'), left[0] ?? '');
  expect(await hold(holds)).toHaveLength(3);
});

test('no key can be read from what is noted', async () => {
  const noted = await hold(() =>
    holds()
      .map((name) => `${name} ${readFileSync(join(folder, name), 'utf8')}`)
      .join(' '),
  );
  for (const key of [...KEYS.full, KEYS.restricted]) expect(noted).not.toContain(key);
  // The same key has another name where the salt is another.
  const before = await hold(holds);
  rmSync(join(folder, 'salt'));
  const after = await hold(holds);
  expect(after.filter((name) => before.includes(name))).toEqual([]);
});

test('a folder that others can look into, or that cannot be made, keeps nobody from a run', async () => {
  chmodSync(folder, 0o755);
  expect(await hold(() => hold(holds))).toEqual([]);
  expect(await hold(() => 'sent', { folder: join(folder, 'salt', 'below-a-file') })).toBe('sent');
});
