import { createHmac, randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, uptime } from 'node:os';
import { join } from 'node:path';
import { codeOf } from '../caught.ts';
import { isLoopback } from '../profile/loopback.ts';
import type { Keys } from '../profile/profile.ts';
import { UsageError } from './usage-error.ts';

/** A key that a run holds. */
interface Hold {
  readonly pid: number;
  /** When the run began, in ms since the Unix epoch. */
  readonly since: number;
}

/** The keys that this process holds, by file. */
const OWN = new Set<string>();

/**
 * Does the work while no other run on this machine uses one of the keys on the same target: if two runs used one key at
 * once, each would see the other's requests as wrong counting. Keys with limited permissions have budgets too. If the
 * temporary folder cannot be used, the work is done anyway.
 *
 * @param folder for the notes, readable only by this user; the file names are keyed digests, from which nobody can
 *   compute a key
 * @throws UsageError where another run uses a key
 */
export async function holdKeys<T>(
  { baseUrl, keys, folder = defaultFolder() }: { baseUrl: string; keys: Keys; folder?: string },
  work: () => Promise<T>,
): Promise<T> {
  const salt = saltOf(folder);
  const files = salt === null ? [] : holdFiles(folder, salt, baseUrl, keys);
  if (salt !== null) sweep(folder);
  const held: string[] = [];
  const release = (): void => {
    for (const file of held.splice(0)) {
      rmSync(file, { force: true });
      OWN.delete(file);
    }
  };
  process.once('exit', release);
  try {
    for (const { alias, file } of files) {
      const other = take(file);
      if (other) throw inUse(alias, other);
      if (OWN.has(file)) held.push(file);
    }
    return await work();
  } finally {
    release();
    process.off('exit', release);
  }
}

/** The folder in which this user's runs note what their other runs must know. */
export function defaultFolder(): string {
  return join(tmpdir(), `size-chart-conformance-${process.getuid?.() ?? 'user'}`);
}

function holdFiles(folder: string, salt: Buffer, baseUrl: string, { full, restricted }: Keys) {
  const named = full.map((key, index) => ({ alias: `key-${index + 1}`, key }));
  if (restricted !== null) named.push({ alias: 'the key with limited permissions', key: restricted });
  const host = hostOf(baseUrl);
  return named.map(({ alias, key }) => {
    const name = createHmac('sha256', salt).update(`${host}\n${key}`).digest('hex');
    return { alias, file: join(folder, `${name.slice(0, 32)}.json`) };
  });
}

/** Host and port of the target. This machine is one target by whichever name. */
function hostOf(baseUrl: string): string {
  const { protocol, host, port } = new URL(baseUrl);
  if (!isLoopback(baseUrl)) return host;
  return `localhost:${port || (protocol === 'https:' ? 443 : 80)}`;
}

/** The key of the digests: made once, and readable only by this user. Null if others cannot be kept from reading it. */
function saltOf(folder: string): Buffer | null {
  try {
    mkdirSync(folder, { mode: 0o700, recursive: true });
    const { uid, mode } = lstatSync(folder);
    const shared = process.getuid !== undefined && (uid !== process.getuid() || (mode & 0o077) !== 0);
    if (shared) return null;
    const file = join(folder, 'salt');
    writeNew(file, randomBytes(32));
    return readFileSync(file);
  } catch {
    return null;
  }
}

/** Removes the notes of killed runs, for any target, and notes that cannot be read. */
function sweep(folder: string): void {
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.json'))) {
    const file = join(folder, name);
    const hold = readHold(file);
    if (!hold || !isAlive(hold, file)) rmSync(file, { force: true });
  }
}

/** Notes that this process uses a key, if it can be noted. Returns the run that already uses it, if any. */
function take(file: string): Hold | null {
  const note = JSON.stringify({ pid: process.pid, since: Date.now() } satisfies Hold);
  try {
    if (!writeNew(file, note)) return readHold(file);
    OWN.add(file);
  } catch {
    // The code that writes results reports a full disk.
  }
  return null;
}

/** Writes the file unless it exists; returns whether it did. */
function writeNew(file: string, data: string | Buffer): boolean {
  try {
    writeFileSync(file, data, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

function readHold(file: string): Hold | null {
  try {
    const { pid, since } = JSON.parse(readFileSync(file, 'utf8'));
    return Number.isSafeInteger(pid) && pid > 0 && Number.isFinite(since) ? { pid, since } : null;
  } catch {
    return null;
  }
}

function isAlive({ pid, since }: Hold, file: string): boolean {
  if (pid === process.pid) return OWN.has(file);
  if (since < Date.now() - uptime() * 1000) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user is alive, too.
    return codeOf(error) === 'EPERM';
  }
}

function inUse(alias: string, { pid, since }: Hold): UsageError {
  return new UsageError(
    `Another run on this machine (process ${pid}, since ${new Date(since).toISOString().slice(11, 19)} UTC) uses ${alias} on this target. Two runs on one key spend each other's budgets, so neither verdict would be right. Wait until it ends, or give this run other keys.`,
  );
}
