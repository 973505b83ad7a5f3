import { execFile, spawn } from 'node:child_process';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { codeOf } from '../caught.ts';
import { LoadError } from './load-error.ts';

/** A k6 that fits the scripts. */
export interface K6 {
  /** The path or name of the program; a name on PATH works. */
  readonly path: string;
  /** Such as `2.2.0`. */
  readonly version: string;
}

export interface K6Options {
  readonly env: NodeJS.ProcessEnv;
  /** Receives progress while k6 is built, which takes a minute or two. */
  readonly progress: (text: string) => void;
  readonly signal?: AbortSignal;
}

const WAYS = [
  'There are three ways to install it:',
  '  1. install Go (https://go.dev/dl) and run this again: it then builds k6 once, in the version pinned in load/go.mod',
  '  2. install k6 2.2 or later (https://grafana.com/docs/k6/latest/set-up/install-k6) so that `k6` is on PATH',
  '  3. set K6_PATH to a k6 binary of version 2.2 or later',
].join('\n');

/**
 * Finds k6: `K6_PATH`, a fitting `k6` on PATH, the one built before, or one built now from the pinned module. If there
 * is none, throws a LoadError that says how to install one.
 */
export async function findK6(options: K6Options): Promise<K6> {
  const { env } = options;
  const { found, pinned, path } = await look(env);
  if (found) return found;
  await build(loadFolder(), pinned, path, options).catch(async (error: unknown) => {
    throw error instanceof NoGo ? withoutGo(await versionOf('k6', env)) : error;
  });
  const built = await fitting(path, env);
  if (built) return built;
  throw new LoadError(`k6 was built at ${path}, but does not run`, WAYS);
}

/**
 * The k6 that `findK6` finds without building one; null: Go can build one. If there is neither, throws the same
 * LoadError, before anything else is said or done.
 */
export async function requireK6(env: NodeJS.ProcessEnv): Promise<K6 | null> {
  const { found } = await look(env);
  if (found) return found;
  await promisify(execFile)('go', ['version'], { env, timeout: 20_000 }).catch(async (error: unknown) => {
    // Whatever else is wrong with Go, the build says better.
    if (codeOf(error) === 'ENOENT') throw withoutGo(await versionOf('k6', env));
  });
  return null;
}

/** What is there: a k6 that fits, if any; else where the pinned version would be built. */
async function look(env: NodeJS.ProcessEnv): Promise<{ found: K6 | null; pinned: string; path: string }> {
  const pinned = await pinnedVersion(loadFolder());
  const path = cachedPath(pinned, env);
  if (env.K6_PATH) {
    const found = await fitting(env.K6_PATH, env);
    if (found) return { found, pinned, path };
    throw new LoadError(
      `K6_PATH is ${env.K6_PATH}, which is not k6 of version 2.2 or later`,
      'Point it at such a binary, or unset it.',
    );
  }
  const onPath = await fitting('k6', env);
  if (onPath) return { found: onPath, pinned, path };
  const cached = await fitting(path, env);
  return { found: cached?.version === pinned ? cached : null, pinned, path };
}

/** The folder of the k6 scripts and of the module that pins k6, wherever this package is installed. */
export function loadFolder(): string {
  const here = fileURLToPath(import.meta.url);
  const root = here.replace(/[\\/](?:dist[\\/])?src[\\/]load[\\/][^\\/]*$/, '');
  return join(root, 'load');
}

/** The version of k6 that `load/go.mod` pins, such as `2.2.0`. */
export async function pinnedVersion(folder: string): Promise<string> {
  const text = await readFile(join(folder, 'go.mod'), 'utf8');
  const version = /\bgo\.k6\.io\/k6\/v2 v(\d+\.\d+\.\d+)/.exec(text)?.[1];
  if (!version)
    throw new LoadError(`${join(folder, 'go.mod')} names no version of go.k6.io/k6/v2`, 'Reinstall this package.');
  return version;
}

/** The folder of a build: outside of the source tree, one for each version and platform. */
export function cachedPath(version: string, env: NodeJS.ProcessEnv): string {
  const cache = env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const name = process.platform === 'win32' ? 'k6.exe' : 'k6';
  return join(cache, 'size-chart-conformance', `k6-v${version}-${process.platform}-${process.arch}`, name);
}

/** A program with its reported version, if that is 2.2 or a later 2.x; else null. */
async function fitting(path: string, env: NodeJS.ProcessEnv): Promise<K6 | null> {
  const version = await versionOf(path, env);
  const minor = /^2\.(\d+)\./.exec(version ?? '')?.[1];
  return version !== null && Number(minor) >= 2 ? { path, version } : null;
}

/** The version that a program reports as k6 does, such as `0.40.0`; null if it is no k6. */
async function versionOf(path: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)(path, ['version'], { env, timeout: 20_000 });
    return /k6(?:\.exe)? v(\d+\.\d+\.\d+)/.exec(stdout)?.[1] ?? null;
  } catch {
    return null;
  }
}

/** Go, which builds k6, is not on this machine. */
class NoGo extends Error {}

/** @param unfit the version of the k6 on PATH, which does not fit; null: there is none */
function withoutGo(unfit: string | null): LoadError {
  if (unfit === null) return new LoadError('The load tester needs k6, and neither k6 nor Go is on this machine', WAYS);
  return new LoadError(
    `The load tester needs k6 2.2 or a later 2.x, but the k6 on PATH is ${unfit}, and Go, which could build one, is not on this machine`,
    WAYS,
  );
}

/**
 * Builds the pinned k6; Go checks every module against `load/go.sum`. The binary appears at `path` only when it is
 * complete.
 */
async function build(folder: string, version: string, path: string, options: K6Options): Promise<void> {
  const { progress, signal } = options;
  const unfinished = `${path}.${process.pid}`;
  await mkdir(dirname(path), { recursive: true });
  const args = ['build', '-v', '-mod=readonly', '-trimpath', '-o', unfinished, 'go.k6.io/k6/v2'];
  const env = { ...options.env, CGO_ENABLED: '0' };
  const child = spawn('go', args, {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(signal ? { signal } : {}),
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', (error) => {
      if (codeOf(error) === 'ENOENT') reject(new NoGo());
      else reject(new LoadError(`k6 ${version} could not be built (${error.message})`, 'Run it again.'));
    });
    child.on('close', resolve);
  });
  child.once('spawn', () => progress(`building k6 ${version} with Go; this happens once and takes a minute or two …`));
  const tail: string[] = [];
  let packages = 0;
  let told = Date.now();
  createInterface({ input: child.stderr }).on('line', (line) => {
    tail.push(line);
    if (tail.length > 12) tail.shift();
    packages += 1;
    if (Date.now() - told < 2_000) return;
    told = Date.now();
    progress(`building k6 ${version}: ${packages} packages so far (${line.slice(0, 60)})`);
  });
  const code = await ended;
  if (code === 0) {
    await rename(unfinished, path);
    progress(`built k6 ${version}: ${path}`);
    return;
  }
  await rm(unfinished, { force: true });
  throw new LoadError(`Go could not build k6 ${version}:\n${tail.map((line) => `  ${line}`).join('\n')}`, WAYS);
}
