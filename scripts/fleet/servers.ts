import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A server on a real limiter library, and what is known to be true of it. */
export interface FleetServer {
  readonly id: string;
  readonly language: Language;
  readonly library: string;
  readonly known: string;
  /** Requirements that it breaks; empty: it conforms. */
  readonly breaks: readonly string[];
  /** Those that may fail besides. */
  readonly may: readonly string[];
}

export type Language = 'node' | 'python' | 'go';

export interface FleetKeys {
  readonly full: readonly string[];
  readonly restricted: string;
}

/** How long a server may take to answer for the first time, in ms. */
const START_WITHIN = 60_000;

/** The servers that `servers.json` of the folder names. */
export function readServers(folder: string): readonly FleetServer[] {
  return JSON.parse(readFileSync(join(folder, 'servers.json'), 'utf8')) as FleetServer[];
}

/**
 * How long one command that installs or builds may take, in ms: a registry that does not answer must not hold up the
 * rest.
 */
const INSTALL_WITHIN = 5 * 60_000;

/**
 * Installs what a language needs, where it is not there. Rejects, and says why, where the language or its packages
 * cannot be had.
 */
export async function install(folder: string, language: Language): Promise<void> {
  const cwd = join(folder, language);
  const command = (file: string, args: readonly string[]): Promise<void> => installing(cwd, file, args);
  if (language === 'go') await command('go', ['build', '-o', 'fleet', '.']);
  // npm writes this file last: a folder without it was left half full.
  if (language === 'node' && !existsSync(join(cwd, 'node_modules', '.package-lock.json'))) {
    await command('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  }
  if (language !== 'python' || existsSync(join(cwd, '.venv', 'installed'))) return;
  await command('python3', ['-m', 'venv', '--clear', '.venv']);
  const pip = join(cwd, '.venv', 'bin', 'pip');
  await command(pip, ['install', '--quiet', '--require-virtualenv', '-r', 'requirements.txt']);
  writeFileSync(join(cwd, '.venv', 'installed'), '');
}

async function installing(cwd: string, file: string, args: readonly string[]): Promise<void> {
  const started = Date.now();
  try {
    await run(file, args, { cwd, timeout: INSTALL_WITHIN });
  } catch (error) {
    if (Date.now() - started < INSTALL_WITHIN) throw error;
    throw new Error(`${[file, ...args].join(' ')} did not end within ${INSTALL_WITHIN / 60_000} minutes`);
  }
}

/**
 * Starts a server and waits until it answers. Gives its base URL, and what ends it. Rejects where it does not answer.
 */
export async function start(
  folder: string,
  { id, language }: FleetServer,
  keys: FleetKeys,
): Promise<{ readonly baseUrl: string; readonly stop: () => void }> {
  const port = await freePort();
  const env = { ...process.env, PORT: `${port}`, LIMITER: id, KEYS: keys.full.join(','), RESTRICTED: keys.restricted };
  const child = launch(join(folder, language), language, env);
  const baseUrl = `http://127.0.0.1:${port}/api/v1`;
  const failed = new Promise<never>((_, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${id} ended with exit code ${code} before it answered`)));
  });
  failed.catch(() => {});
  try {
    await Promise.race([failed, answering(`${baseUrl}/service`)]);
  } catch (error) {
    child.kill();
    throw error;
  }
  return { baseUrl, stop: () => child.kill() };
}

function launch(cwd: string, language: Language, env: NodeJS.ProcessEnv): ChildProcess {
  const stdio = ['ignore', 'ignore', 'inherit'] as const;
  if (language === 'go') return spawn(join(cwd, 'fleet'), { cwd, env, stdio: [...stdio] });
  if (language === 'node') return spawn(process.execPath, ['server.js'], { cwd, env, stdio: [...stdio] });
  return spawn(join(cwd, '.venv', 'bin', 'python'), ['server.py'], { cwd, env, stdio: [...stdio] });
}

async function answering(url: string): Promise<void> {
  for (const end = Date.now() + START_WITHIN; Date.now() < end; await delay(100)) {
    try {
      await (await fetch(url)).text();
      return;
    } catch {
      // Not yet.
    }
  }
  throw new Error(`${url} did not answer within ${START_WITHIN / 1000} s`);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
