import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { referenceProfile } from '../../src/reference/profile.ts';
import { expectInOrder, KEYS, reportOf, run, temporaryFolder } from '../end-to-end/command.test-support.ts';
import { httpServer, nothing, reference } from '../end-to-end/server.test-support.ts';
import { front } from './front.test-support.ts';

const [KEY = ''] = KEYS.full;
const elsewhere = 'http://127.0.0.1:9/api/v1';

/** A target that counts its requests. */
async function counting() {
  const seen = { requests: 0, baseUrl: '' };
  seen.baseUrl = await httpServer((_, response) => {
    seen.requests += 1;
    response.end();
  });
  return seen;
}

describe('what is in the way is told in the first line, with code 2, before anything is sent', () => {
  test.runIf(existsSync('/proc/self'))('a folder that cannot be made', async () => {
    const target = await counting();
    for (const command of ['certify', 'check', 'property', 'load demo']) {
      const ended = await run(command.split(' '), {
        baseUrl: target.baseUrl,
        cwd: temporaryFolder(),
        out: '/proc/nope/out',
      });
      expect(ended).toMatchObject({ code: 2 });
      expect(ended.stderr).toMatch(
        /^size-chart-conformance: .*\/proc\/nope\/out cannot be created \(E\w+\)\.\s+Choose another/,
      );
    }
    expect(target.requests).toBe(0);
  });

  test('a file of somebody else', async () => {
    const target = await counting();
    for (const command of ['check', 'load demo']) {
      const cwd = temporaryFolder();
      mkdirSync(join(cwd, 'out'));
      writeFileSync(join(cwd, 'out', 'report.html'), 'mine');
      const ended = await run(command.split(' '), { baseUrl: target.baseUrl, cwd });
      expect(ended).toMatchObject({ code: 2 });
      expect(ended.stderr).toMatch(/already contains report\.html, and \w.* never overwrites[\s\S]*Choose another/);
      expect(readFileSync(join(cwd, 'out', 'report.html'), 'utf8')).toBe('mine');
    }
    expect(target.requests).toBe(0);
  });

  test.each([
    ['certify', KEY],
    ['certify', '--nonce', `n-${KEY}`],
    ['certify', '--base-url', `http://user:${KEY}@127.0.0.1:9/api/v1`],
    ['certify', `--${KEY}`],
    ['certify', '--seed', KEY.toUpperCase()],
    [KEY],
    ...['replay out', 'completion', 'merge', 'report', 'compare out', 'property --seed', 'keygen --out'].map(
      (command) => [...command.split(' '), KEY],
    ),
  ])('a key among the arguments: %#', async (...args) => {
    const cwd = temporaryFolder();
    const ended = await run(args, { baseUrl: elsewhere, cwd });
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toMatch(/^size-chart-conformance: argument \d contains an API key, or a part of one\./);
    expect(ended.stderr.toLowerCase()).not.toContain('full-1-4c1d');
    expect(existsSync(join(cwd, 'out'))).toBe(false);
  });

  test('NODE_DEBUG, which prints what is sent', async () => {
    const { code, stdout, stderr } = await run(['check'], {
      baseUrl: elsewhere,
      cwd: temporaryFolder(),
      env: { NODE_DEBUG: 'none' },
    });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^size-chart-conformance: NODE_DEBUG prints keys\. Unset it/);
  });

  test.each([
    ['a CA file that is no PEM', 'http: { tls: { ca_file: ca.txt } }', /http\.tls\.ca_file .*PEM.*ca\.txt/],
    [
      'a key file that is no key',
      'http: { tls: { cert_file: ca.txt, key_file: ca.txt } }',
      /http\.tls\.key_file .*PEM.*ca\.txt/,
    ],
  ])('%s, by validate', async (_, more, message) => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'ca.txt'), 'no certificate');
    const profile = `${referenceProfile(elsewhere)}\n${more}\n`;
    const ended = await run(['validate'], { baseUrl: elsewhere, cwd, profile, out: null });
    expect(ended).toMatchObject({ code: 2 });
    expect(ended.stderr).toMatch(message);
  });
});

test('DEBUG makes no dependency print what it is given; a check ends with when to certify', async () => {
  const { baseUrl } = await reference(20);
  const cwd = temporaryFolder();
  const ended = await run(['check'], { baseUrl, cwd, scale: 20, env: { DEBUG: '*' } });
  await expectInOrder(ended, 0, join(cwd, 'out'));
  expect(ended.stderr).not.toMatch(/end-to-end|vite:/);
  expect(ended.stdout).toMatch(/check sent \d+ requests, .*: wait two minutes before certify\.\n$/);
});

test('a waiver that has expired is refused by validate, and told by plan', async () => {
  const profile = `${referenceProfile(elsewhere)}\nwaivers: [{ requirement: HDR-1, reason: known, until: 2026-01-31 }]\n`;
  const ended = (command: string) => run([command], { baseUrl: elsewhere, cwd: temporaryFolder(), profile, out: null });
  const validated = await ended('validate');
  expect(validated).toMatchObject({ code: 2 });
  expect(validated.stderr).toContain('until is past (2026-01-31), so the waiver no longer applies');
  const planned = await ended('plan');
  expect(planned).toMatchObject({ code: 0 });
  expect(planned.stderr).toMatch(/^warning: .*2026-01-31/m);
});

describe('a target that takes its time', () => {
  const scale = 20;
  const head = `HTTP/1.1 200 OK\r\nX-RateLimit-Limit: 100\r\nX-RateLimit-Remaining: 99\r\nX-RateLimit-Reset: 60\r\n`;

  /** Sends an answer in parts, at an interval in seconds of the scaled clock. */
  const dripping = (parts: readonly string[], every: number): Promise<string> =>
    httpServer(({ socket }, response) => {
      response.on('error', () => {});
      const left = [...parts];
      const drip = (): void => {
        const next = left.shift();
        if (next === undefined || socket.destroyed) return;
        socket.write(next);
        setTimeout(drip, (every * 1000) / scale);
      };
      drip();
    });

  async function check(baseUrl: string, code: 1 | 3) {
    const cwd = temporaryFolder();
    const ended = await run(['check'], { baseUrl, cwd, scale });
    await expectInOrder(ended, code, join(cwd, 'out'));
    const { result, verdicts } = reportOf(join(cwd, 'out'));
    return { ...result, success: verdicts.find(({ id }) => id === 'STATUS-200')?.verdict };
  }

  test('a byte of its head every second: nothing is judged', async () => {
    const result = await check(await dripping([...head], 1), 3);
    expect(result.obstacle).toMatchObject({ cause: expect.stringContaining('did not answer in time') });
  });

  test('a byte of its body every second: what never becomes whole is no success', async () => {
    const result = await check(await dripping([`${head}Content-Length: 1000\r\n\r\n`, ...'x'.repeat(1000)], 1), 1);
    expect(result.success).toBe('inconclusive');
  });

  test('each answer after twelve seconds: a check ends after two minutes', async () => {
    const { baseUrl } = await reference(scale);
    const slow = await front(baseUrl, { handle: ({ pass }) => delay(12_000 / scale).then(pass) });
    const result = await check(slow, 3);
    expect(result.overall).toBe('incomplete');
  });
});

/** Loaded before the suite: sends the signal this many ms after the first listener is added. */
const signalAfter = (ms: number): string => {
  const code = `const on = process.on; let done = false;
process.on = process.addListener = function (name, listener) {
  const result = on.call(this, name, listener);
  if (name === 'SIGINT' && !done) { done = true; setTimeout(() => process.kill(process.pid, 'SIGINT'), ${ms}); }
  return result;
};`;
  return `--import=data:text/javascript,${encodeURIComponent(code)}`;
};

test.each([0, 50, 150, 400, 800])('SIGINT %s ms after the start ends with code 3', async (ms) => {
  const { baseUrl } = await reference(1);
  const cwd = temporaryFolder();
  const ended = await run(['certify'], { baseUrl, cwd, env: { NODE_OPTIONS: signalAfter(ms) } });
  expect({ code: ended.code, signal: ended.signal }).toEqual({ code: 3, signal: null });
  expect(ended.stdout + ended.stderr).not.toMatch(/^\s+at .+[:(]\d+:\d+\)?$/m);
});

test('where the proxy refuses, it is the proxy that is named', async () => {
  const proxy = (await nothing()).replace('/api/v1', '');
  const cwd = temporaryFolder();
  const profile = `${referenceProfile('http://charts.invalid/api/v1')}\nhttp: { proxy: "${proxy}" }\n`;
  const ended = await run(['check'], { baseUrl: '', cwd, profile });
  expect(ended.code).toBe(3);
  expect(ended.stdout.replace(/\s+/g, ' ')).toContain(`by the proxy ${proxy} (refused)`);
});
