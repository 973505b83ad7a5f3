import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bytesOf } from '../plain-file.ts';

const DAY = 86_400_000;

/** The file keeps at most this many entries; a file with more is not ours. */
const MOST = 10_000;
const MAX_BYTES = 2 ** 20;

/**
 * Notes a run of `certify` on this target, and returns how many this installation has made within a day, including this
 * one. A pass after ten tries says less than a pass at once, so the certificate contains the number. The notes are in
 * the machine's temporary folder: whoever empties it starts from zero. Null if nothing can be noted there.
 *
 * @param folder readable only by this user; nobody can tell the target from its contents
 * @param now ms since the Unix epoch
 */
export function countAttempt(baseUrl: string, { folder, now }: { folder: string; now: number }): number | null {
  try {
    mkdirSync(folder, { mode: 0o700, recursive: true });
    const { uid, mode } = lstatSync(folder);
    if (process.getuid !== undefined && (uid !== process.getuid() || (mode & 0o077) !== 0)) return null;
    const target = createHash('sha256').update(baseUrl).digest('hex');
    const file = join(folder, 'attempts');
    const recent = noted(file).filter(({ at }) => at > now - DAY && at <= now);
    const all = [...recent, { at: now, target }].slice(-MOST);
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, all.map((each) => `${each.at} ${each.target}\n`).join(''), { mode: 0o600 });
    renameSync(draft, file);
    return all.filter((each) => each.target === target).length;
  } catch {
    return null;
  }
}

function noted(file: string): readonly { readonly at: number; readonly target: string }[] {
  let text: string;
  try {
    text = bytesOf(file, MAX_BYTES, 'refused').toString('latin1');
  } catch {
    return [];
  }
  return text.split('\n').flatMap((line) => {
    const [, at, target] = /^(\d{1,16}) ([0-9a-f]{64})$/.exec(line) ?? [];
    return at === undefined || target === undefined ? [] : [{ at: Number(at), target }];
  });
}
