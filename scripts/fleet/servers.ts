import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
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

/** Installs what a language needs, where it is not there. Rejects where the language or its packages cannot be had. */
export async function install(folder: string, language: Language): Promise<void> {
  const cwd = join(folder, language);
  if (language === 'go') await run('go', ['build', '-o', 'fleet', '.'], { cwd });
  if (language === 'node' && !existsSync(join(cwd, 'node_modules'))) {
    await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd });
  }
  if (language !== 'python' || existsSync(join(cwd, '.venv', 'installed'))) return;
  await run('python3', ['-m', 'venv', '.venv'], { cwd });
  const pip = join('.venv', 'bin', 'pip');
  await run(join(cwd, pip), ['install', '--quiet', '--require-virtualenv', '-r', 'requirements.txt'], { cwd });
  await run('touch', [join('.venv', 'installed')], { cwd });
}

/** Starts a server and waits until it answers. Gives its base URL, and what ends it. */
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
  await Promise.race([failed, answering(`${baseUrl}/service`)]);
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
