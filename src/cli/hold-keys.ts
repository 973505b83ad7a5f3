import { createHmac, randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, uptime } from 'node:os';
import { join } from 'node:path';
import type { Keys } from '../profile/profile.ts';
import { UsageError } from './usage-error.ts';

/** A key that a run holds. */
interface Hold {
  readonly pid: number;
  /** When the run began, in ms since the Unix epoch. */
  readonly since: number;
}

/** What this process holds, by file. */
const OWN = new Set<string>();

/**
 * Does the work while no other run on this machine uses one of the keys on the same target: of two runs at once on one key, each would take
 * the other's requests for wrong counting. Keys with limited permissions have budgets too. Where the temporary folder is of no use,
 * the work is done all the same.
 *
 * @param folder where holds are noted, for this user alone; the names in it are keyed digests, and lead back to no key
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

/** Where this user's runs note what other runs of theirs must know. */
export function defaultFolder(): string {
  return join(tmpdir(), `size-chart-conformance-${process.getuid?.() ?? 'user'}`);
}

function holdFiles(folder: string, salt: Buffer, baseUrl: string, { full, restricted }: Keys) {
  const named = full.map((key, index) => ({ alias: `key-${index + 1}`, key }));
  if (restricted !== null) named.push({ alias: 'the key with limited permissions', key: restricted });
  const { host } = new URL(baseUrl);
  return named.map(({ alias, key }) => {
    const name = createHmac('sha256', salt).update(`${host}\n${key}`).digest('hex');
    return { alias, file: join(folder, `${name.slice(0, 32)}.json`) };
  });
}

/** What the digests are keyed by: made once, and readable by this user alone. Null where nobody else can be kept out. */
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

/** Removes what runs that were killed have left behind, of whatever target, and what cannot be read. */
function sweep(folder: string): void {
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.json'))) {
    const file = join(folder, name);
    const hold = readHold(file);
    if (!hold || !isAlive(hold, file)) rmSync(file, { force: true });
  }
}

/** Notes that this process uses a key, where that can be noted. Gives the run that does already, if one does. */
function take(file: string): Hold | null {
  const note = JSON.stringify({ pid: process.pid, since: Date.now() } satisfies Hold);
  try {
    if (!writeNew(file, note)) return readHold(file);
    OWN.add(file);
  } catch {
    // A full disk is seen to where results are written.
  }
  return null;
}

/** Whether the file is new, and was written. */
function writeNew(file: string, data: string | Buffer): boolean {
  try {
    writeFileSync(file, data, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
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
    // A process of somebody else's is alive, too.
    return hasCode(error, 'EPERM');
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function inUse(alias: string, { pid, since }: Hold): UsageError {
  return new UsageError(
    `Another run on this machine (process ${pid}, since ${new Date(since).toISOString().slice(11, 19)} UTC) uses ${alias} on this target. Two runs on one key spend each other's budgets, so neither verdict would be right. Wait until it ends, or give this run other keys.`,
  );
}
