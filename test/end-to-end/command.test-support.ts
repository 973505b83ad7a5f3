import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { judgeFile } from '../../src/cli/judge-file.ts';
import type { Keys } from '../../src/profile/profile.ts';
import { referenceProfile } from '../../src/reference/profile.ts';
import { type Report, serialiseReport } from '../../src/report/report.ts';
import { atTheEnd } from './at-the-end.test-support.ts';

/** The command line's script. */
export const BIN = fileURLToPath(new URL('../../bin/size-chart-conformance.js', import.meta.url));

/** Keys that occur only in these tests. */
export const KEYS: Keys = {
  full: ['end-to-end-full-1-4c1d', 'end-to-end-full-2-88fe', 'end-to-end-full-3-0b7a', 'end-to-end-full-4-e39c'],
  restricted: 'end-to-end-restricted-51ab',
  revoked: 'end-to-end-revoked-6d20',
};

/** How a command ended, and what it said. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningCommand {
  readonly child: ChildProcess;
  /** What it has printed so far, both streams together. */
  said(): string;
  readonly ended: Promise<Ended>;
}

/** A new folder that is removed after the tests. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'size-chart-test-'));
  atTheEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The environment of a command: nothing of the test runner's, and the keys. */
export function environment(keys: Keys | null, extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  const roles: Record<string, string> =
    keys === null
      ? {}
      : {
          SIZE_CHART_KEYS: keys.full.join(','),
          ...(keys.restricted === null ? {} : { SIZE_CHART_RESTRICTED_KEY: keys.restricted }),
          ...(keys.revoked === null ? {} : { SIZE_CHART_REVOKED_KEY: keys.revoked }),
        };
  return { PATH, HOME, ...roles, ...extra };
}

/** Starts a program in a folder; it is killed if the tests end first. */
export function start(
  command: readonly string[],
  options: { readonly cwd: string; readonly env: Record<string, string> },
): RunningCommand {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  atTheEnd(() => {
    if (child.exitCode === null) child.kill('SIGKILL');
  });
  return { child, said: () => stdout + stderr, ended };
}

/** What a run is started with. */
export interface RunSetting {
  readonly baseUrl: string;
  readonly cwd: string;
  readonly keys?: Keys | null;
  readonly scale?: number;
  /** Text of the profile; default: that of the reference server. */
  readonly profile?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Folder of the run; null: left to the command. */
  readonly out?: string | null;
}

/**
 * Writes the profile into `cwd` and starts the command line there. The run's folder is `cwd/out` unless told otherwise.
 */
export function startRun(args: readonly string[], setting: RunSetting): RunningCommand {
  const { baseUrl, cwd, keys = KEYS, scale = 1, profile = referenceProfile(baseUrl), env, out = 'out' } = setting;
  writeFileSync(join(cwd, 'size-chart.profile.yaml'), profile);
  const place = out === null ? [] : ['--out', out];
  const pace = scale === 1 ? [] : ['--time-scale', String(scale)];
  return start([process.execPath, BIN, ...args, ...place, ...pace], { cwd, env: environment(keys, env) });
}

export function run(args: readonly string[], setting: RunSetting): Promise<Ended> {
  return startRun(args, setting).ended;
}

export function reportOf(folder: string): Report {
  return JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as Report;
}

/** IDs with this verdict. */
export function having(report: Report, verdict: Report['verdicts'][number]['verdict']): string[] {
  return report.verdicts.filter((each) => each.verdict === verdict).map((each) => each.id);
}

/**
 * What every run must have, however badly it went: a documented exit code, no stack trace, and a trace that gives the
 * same report again.
 */
export async function expectInOrder(ended: Ended, code: 0 | 1 | 2 | 3, folder: string): Promise<void> {
  expect(ended.stdout + ended.stderr).not.toMatch(/^\s+at .+[:(]\d+:\d+\)?$/m);
  expect(ended.stderr).not.toMatch(/Unhandled|Warning:/);
  expect({ code: ended.code, signal: ended.signal, stderr: ended.stderr }).toMatchObject({ code, signal: null });
  if (code === 2) return;
  expect(existsSync(join(folder, 'trace.ndjson'))).toBe(true);
  const again = await judgeFile(join(folder, 'trace.ndjson'));
  expect(serialiseReport(again)).toBe(readFileSync(join(folder, 'report.json'), 'utf8'));
  expect(again.result.exitCode).toBe(code);
}
