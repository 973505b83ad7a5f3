import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { judgeFile } from '../../src/cli/judge-file.ts';
import { inspectTrace } from '../../src/trace/read-trace.ts';
import { atTheEnd } from '../end-to-end/at-the-end.test-support.ts';
import {
  BIN,
  environment,
  expectInOrder,
  having,
  type RunningCommand,
  reportOf,
  run,
  start,
  startRun,
  temporaryFolder,
} from '../end-to-end/command.test-support.ts';
import { httpServer, reference } from '../end-to-end/server.test-support.ts';
import { front } from './front.test-support.ts';

/**
 * A run of the command line that calls `act` when the target has received this many requests; null: when the plan is
 * printed.
 */
async function runUntil(
  moment: number | null,
  scale: number,
  act: (command: RunningCommand) => void,
): Promise<{ readonly command: RunningCommand; readonly folder: string }> {
  const { baseUrl } = await reference(scale);
  const cwd = temporaryFolder();
  const running: { command: RunningCommand | null } = { command: null };
  const reached = (): void => {
    if (running.command) act(running.command);
  };
  const target = await front(baseUrl, {
    handle: ({ number, pass }) => {
      if (number === moment) reached();
      pass();
    },
  });
  running.command = startRun(['certify'], { baseUrl: target, cwd, scale });
  if (moment === null) {
    running.command.child.stdout?.on('data', (text: string) => {
      if (text.includes('At most')) reached();
    });
  }
  return { command: running.command, folder: join(cwd, 'out') };
}

describe('a signal ends a run in order', () => {
  // In real time a complete run takes two minutes, so a test that ends sooner has not waited for it.
  test.each([
    ['SIGINT', null, 1],
    ['SIGINT', 20, 1],
    ['SIGINT', 100, 1],
    ['SIGINT', 240, 1],
    ['SIGTERM', 2, 1],
    ['SIGTERM', 180, 1],
    ['SIGTERM', 800, 20],
    ['SIGHUP', 100, 1],
  ] as const)('%s at request %s: a whole trace, and a report that says so', async (signal, moment, scale) => {
    const { command, folder } = await runUntil(moment, scale, ({ child }) => child.kill(signal));
    await expectInOrder(await command.ended, 3, folder);
    const report = reportOf(folder);
    expect(report.result.overall).toBe('incomplete');
    expect(report.run.outcome).toBe('interrupted');
    expect(report.result.certifiable).toBe(false);
    expect(command.said()).toMatch(/^! The run was interrupted/m);
    expect(having(report, 'fail')).toEqual([]);
    // By then single answers have shown enough, whatever budgets have not.
    if (moment === 800)
      expect(having(report, 'pass')).toEqual(expect.arrayContaining(['AUTH-2', 'AUTH-3', 'VERSION-1']));
    expect((await inspectTrace(join(folder, 'trace.ndjson'))).trace.footer?.outcome).toBe('interrupted');
  });

  test.each([
    [3, 1],
    [120, 1],
    [900, 20],
  ])('SIGKILL at request %s: what was recorded can be read to its last whole line', async (moment, scale) => {
    const { command, folder } = await runUntil(moment, scale, ({ child }) => child.kill('SIGKILL'));
    const ended = await command.ended;
    expect(ended.signal).toBe('SIGKILL');
    const { trace, problems } = await inspectTrace(join(folder, 'trace.ndjson'));
    expect(problems).toEqual([]);
    expect(trace.footer).toBeNull();
    expect(trace.exchanges.length + trace.unanswered.length).toBeGreaterThanOrEqual(moment);
    const report = await judgeFile(join(folder, 'trace.ndjson'));
    expect(report.run.outcome).toBe('cut short');
    expect(report.result).toMatchObject({ overall: 'incomplete', exitCode: 3, certifiable: false });
    expect(having(report, 'fail')).toEqual([]);
  });

  test('a run that is ended before its first answer is interrupted, and nothing is said of the target', async () => {
    const baseUrl = await httpServer(() => command?.child.kill('SIGINT'));
    const cwd = temporaryFolder();
    const command: RunningCommand | undefined = startRun(['certify'], { baseUrl, cwd });
    await expectInOrder(await command.ended, 3, join(cwd, 'out'));
    const { result } = reportOf(join(cwd, 'out'));
    expect(result).toMatchObject({ overall: 'incomplete', obstacle: null });
  });

  test('a signal that comes twice at once, as one to a group of processes does, is one', async () => {
    const { command, folder } = await runUntil(100, 1, ({ child }) => {
      child.kill('SIGTERM');
      setTimeout(() => child.kill('SIGTERM'), 20);
    });
    await expectInOrder(await command.ended, 3, folder);
    expect(reportOf(folder).run.outcome).toBe('interrupted');
    expect(command.said()).toContain('judge out/trace.ndjson');
  });

  test('a second signal ends a command at once', async () => {
    // Something that keeps the process from ending in order.
    const env = environment(null, { NODE_OPTIONS: '--import=data:text/javascript,setInterval(()=>{},1000)' });
    const { child, ended, said } = start([process.execPath, BIN, 'reference'], { cwd: temporaryFolder(), env });
    await new Promise<void>((resolve) => child.stdout?.on('data', () => said().includes('Ctrl-C') && resolve()));
    child.kill('SIGINT');
    await delay(20);
    child.kill('SIGINT');
    await delay(1000);
    expect(child.exitCode).toBeNull();
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 3, stderr: expect.stringContaining('ended by SIGINT') });
  });
});

/** A file system of this many KiB, mounted with these options until the tests end; null if mounting is not allowed. */
function smallDisk(folder: string, kibibytes: number, manner = 'rw'): string | null {
  mkdirSync(folder);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kibibytes}k,${manner}`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return null;
  }
  atTheEnd(() => void execFileSync('umount', [folder]));
  return folder;
}

describe('a full disk', () => {
  test('in mid-run ends the run, says so, and keeps what was recorded', async ({ skip }) => {
    const { baseUrl } = await reference(20);
    const cwd = temporaryFolder();
    const disk = smallDisk(join(cwd, 'disk'), 200);
    if (disk === null) return skip('no file system may be mounted here');
    const folder = join(disk, 'out');
    const ended = await run(['certify'], { baseUrl, cwd, scale: 20, out: folder });
    await expectInOrder(ended, 2, folder);
    expect(ended.stderr).toMatch(/trace\.ndjson: the trace cannot be written: the disk is full: make room/);
    const { trace, problems } = await inspectTrace(join(folder, 'trace.ndjson'));
    expect(problems).toEqual([]);
    expect(trace.footer).toBeNull();
    expect(trace.exchanges.length).toBeGreaterThan(50);
    expect((await judgeFile(join(folder, 'trace.ndjson'))).result.exitCode).toBe(3);
  });

  test('that has room for the trace and no other file: the verdict is told, and no report is half there', async ({
    skip,
  }) => {
    const { baseUrl } = await reference(20);
    const cwd = temporaryFolder();
    const disk = smallDisk(join(cwd, 'disk'), 20_000, 'nr_inodes=3');
    if (disk === null) return skip('no file system may be mounted here');
    // Its own folder, that of the run, and the trace.
    const folder = join(disk, 'out');
    const ended = await run(['certify'], { baseUrl, cwd, scale: 20, out: folder });
    await expectInOrder(ended, 2, folder);
    expect(ended.stderr).toMatch(/reports cannot be written to .* \(ENOSPC\): .*has room/);
    expect((await judgeFile(join(folder, 'trace.ndjson'))).result.exitCode).toBe(0);
    if (existsSync(join(folder, 'report.json'))) {
      expect(() => JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'))).not.toThrow();
    }
    // The advised command works once there is room.
    const [, trace = '', out = ''] = /judge (\S+) --out (\S+)/.exec(ended.stderr) ?? [];
    execFileSync('mount', ['-o', 'remount,nr_inodes=100', disk], { stdio: 'ignore' });
    expect(await run(['judge', trace], { baseUrl, cwd, out })).toMatchObject({ code: 0, stderr: '' });
    expect(reportOf(folder).result.exitCode).toBe(0);
  });
});

test('reports/ on a disk that may only be read: the run ends before anything is sent', async ({ skip }) => {
  let requests = 0;
  const baseUrl = await httpServer((_, response) => {
    requests += 1;
    response.end();
  });
  const cwd = temporaryFolder();
  const disk = smallDisk(join(cwd, 'reports'), 100, 'ro');
  if (disk === null) return skip('no file system may be mounted here');
  const ended = await run(['certify'], { baseUrl, cwd, scale: 20, out: null });
  await expectInOrder(ended, 2, cwd);
  expect(ended.stderr).toMatch(/cannot be created .*--out/);
  expect(requests).toBe(0);
});

test('two runs at once on one key: the second is told to wait, and the first is right', async () => {
  const { baseUrl } = await reference(20);
  const cwd = temporaryFolder();
  const first = startRun(['certify'], { baseUrl, cwd, scale: 20 });
  await new Promise<void>((resolve) => {
    first.child.stdout?.on('data', () => first.said().includes('At most') && resolve());
  });
  const refused = ['certify', 'check', 'doctor', 'property', 'load demo'].map(async (command) => {
    const out = command === 'doctor' ? null : `out-${command}`;
    const second = await run(command.split(' '), { baseUrl, cwd, scale: 20, out });
    await expectInOrder(second, 2, cwd);
    expect(second.stderr).toContain(`(process ${first.child.pid}`);
    expect(second.stderr).toMatch(/uses key-1 on this target\. .* Wait until it ends, or give this run other keys/);
    expect(second.stderr).not.toContain('end-to-end-full');
  });
  await Promise.all(refused);
  await expectInOrder(await first.ended, 0, join(cwd, 'out'));
});
