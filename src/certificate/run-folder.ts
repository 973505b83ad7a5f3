import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { CertificateError, FormatError } from './certificate-error.ts';

/** The files of a run that a certificate is about or made of, each with the most bytes that are read of it. */
const RUN_FILES = {
  trace: { name: 'trace.ndjson', bytes: 512 * 2 ** 20 },
  report: { name: 'report.json', bytes: 64 * 2 ** 20 },
  envelope: { name: 'envelope.json', bytes: 2 ** 20 },
  bundle: { name: 'report.sigstore.json', bytes: 2 ** 20 },
  sshSignature: { name: 'envelope.json.sig', bytes: 2 ** 14 },
} as const;

export type RunFile = keyof typeof RUN_FILES;

export interface RunFolder {
  /** Where a file of the run lies, whether it is there or not. */
  path(file: RunFile): string;
  /** The file's text (UTF-8), or null where there is none. Throws a `FormatError` where it is no plain file or too large. */
  text(file: RunFile): string | null;
  /** SHA-256 (hex) of the file's bytes, read in pieces; null where there is none. Throws as `text` does. */
  digest(file: RunFile): string | null;
}

/**
 * The folder of a run, which may come from anybody. Only files of fixed names directly in it are opened, and only plain
 * files: no link is followed, so nothing outside is read, and no pipe or device can hold the reader up. Throws a
 * `CertificateError` where there is no such folder.
 */
export function openRunFolder(directory: string): RunFolder {
  let root: string;
  try {
    root = realpathSync(directory);
    if (!lstatSync(root).isDirectory()) throw new Error('not a folder');
  } catch {
    throw new CertificateError(
      `There is no folder ${directory}: name the folder of a run, such as reports/2026-11-21-0900.`,
    );
  }
  const path = (file: RunFile): string => join(root, RUN_FILES[file].name);
  return {
    path,
    text(file) {
      const pieces: Buffer[] = [];
      return readPieces(path(file), file, (piece) => pieces.push(Buffer.from(piece)))
        ? decode(Buffer.concat(pieces))
        : null;
    },
    digest(file) {
      const hash = createHash('sha256');
      return readPieces(path(file), file, (piece) => hash.update(piece)) ? hash.digest('hex') : null;
    },
  };
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new FormatError('it is not UTF-8 text');
  }
}

/** Hands the file's bytes to `take` piece by piece; false where there is no such file. */
function readPieces(path: string, file: RunFile, take: (piece: Uint8Array) => void): boolean {
  const limit = RUN_FILES[file].bytes;
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return false;
  if (!stats.isFile()) throw new FormatError('it is not a plain file (links are not followed)');
  const descriptor = openPlain(path);
  try {
    if (!fstatSync(descriptor).isFile()) throw new FormatError('it is not a plain file');
    const buffer = Buffer.alloc(Math.min(limit, 2 ** 20));
    let total = 0;
    for (;;) {
      const count = readSync(descriptor, buffer);
      if (count === 0) return true;
      total += count;
      if (total > limit) throw new FormatError(`it is larger than ${limit} bytes`);
      take(buffer.subarray(0, count));
    }
  } finally {
    closeSync(descriptor);
  }
}

function openPlain(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (cause) {
    throw new FormatError(`it cannot be opened (${cause instanceof Error ? cause.message : 'unknown error'})`);
  }
}
