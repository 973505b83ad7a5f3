import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { referenceProfile } from '../../src/reference/profile.ts';
import { expectInOrder, having, reportOf, run, temporaryFolder } from './command.test-support.ts';
import { httpServer, nothing, reference, tcpServer, tlsServer } from './server.test-support.ts';

const SCALE = 25;

/** One cause in words, every requirement inconclusive for it, and nothing else. */
async function expectObstacle(baseUrl: string, cause: RegExp): Promise<void> {
  const cwd = temporaryFolder();
  const folder = join(cwd, 'out');
  const ended = await run(['certify'], { baseUrl, cwd, scale: SCALE });
  await expectInOrder(ended, 3, folder);
  const report = reportOf(folder);
  expect(report.result.overall).toBe('inconclusive');
  expect(report.result.obstacle?.cause).toMatch(cause);
  expect(having(report, 'inconclusive')).toHaveLength(report.verdicts.length);
  expect(ended.stdout.replace(/\s+/g, ' ')).toMatch(new RegExp(cause.source.replace('^', '')));
}

describe('a target that cannot be tested at all gives one cause, and nothing else', () => {
  test('nothing listens', async () => expectObstacle(await nothing(), /nothing listens at/));
  test('a host name that does not exist', () =>
    expectObstacle('http://no-such-host.invalid/api/v1', /host name .* cannot be resolved/));
  test('a plain HTTP port spoken to by TLS', async () => {
    const baseUrl = await httpServer((_, response) => response.end());
    await expectObstacle(baseUrl.replace('http:', 'https:'), /TLS/);
  });
  test('a TLS port spoken to in plain HTTP', async () => {
    const baseUrl = await tlsServer((_, response) => response.end());
    await expectObstacle(baseUrl.replace('https:', 'http:'), /scheme/);
  });
  test('a certificate that nobody knows', async () => {
    await expectObstacle(await tlsServer((_, response) => response.end()), /certificate/);
  });
  test('a port that takes connections and never answers', async () =>
    expectObstacle(await tcpServer(() => {}), /did not answer in time/));
  test('a port that hangs up', async () =>
    expectObstacle(await tcpServer((socket) => socket.once('data', () => socket.destroy())), /closed the connection/));
  test('something that is not HTTP', async () =>
    expectObstacle(await tcpServer((socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n')), /what it sent is not HTTP/));
  test('401 to every key, which are the keys of another deployment: all are named', async () => {
    const { baseUrl } = await reference(SCALE, { keys: { full: ['of-another'], restricted: null, revoked: null } });
    await expectObstacle(baseUrl, /^key-1, key-2, key-3, key-4 are not accepted .*SIZE_CHART_KEYS/);
  });
});

test('a profile of which no read succeeds ends after its first bursts, with what came back', async () => {
  const { baseUrl } = await reference(SCALE);
  const cwd = temporaryFolder();
  const profile = referenceProfile(baseUrl).replace(/path: "?\/(?=[a-z])/g, (path) => `${path}wrong-`);
  const ended = await run(['certify'], { baseUrl, cwd, scale: SCALE, profile });
  await expectInOrder(ended, 3, join(cwd, 'out'));
  const report = reportOf(join(cwd, 'out'));
  expect(report.result.obstacle?.cause).toMatch(/^no .* succeeds with a full key: .* was answered 404.*doctor shows/);
  const trace = readFileSync(join(cwd, 'out', 'trace.ndjson'), 'utf8');
  // The bursts on the four cold keys are some 190; the whole plan is ten times as much.
  expect(trace.match(/^{"type":"exchange"/gm)?.length ?? 0).toBeLessThan(250);
});

test.each([
  ['reports', null],
  ['taken', 'taken/run'],
])(
  'a folder that cannot be made ends the run before anything is sent: a file in the place of %s',
  async (name, out) => {
    let requests = 0;
    const baseUrl = await httpServer((_, response) => {
      requests += 1;
      response.end();
    });
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, name), '');
    const ended = await run(['certify'], { baseUrl, cwd, scale: SCALE, out });
    await expectInOrder(ended, 2, cwd);
    expect(ended.stderr).toMatch(/cannot be created .*--out/);
    expect(requests).toBe(0);
  },
);
