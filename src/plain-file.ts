import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { codeOf } from './caught.ts';

/** Why a file is not read: one clause, such as "it is no plain file". */
export class NoPlainFile extends Error {
  override readonly name = 'NoPlainFile';
  /** The system's code, such as `ENOENT`; `EFBIG` where it is too large; null where it is of the wrong kind. */
  readonly code: string | null;

  constructor(message: string, code: string | null = null) {
    super(message);
    this.code = code;
  }
}

/**
 * The bytes of a plain file in pieces, from one descriptor: what is checked is what is read, whoever changes the path
 * meanwhile. A pipe or a device holds nobody up, and no more than `limit` bytes are read. Each piece is valid until the
 * next is asked for.
 *
 * @param links whether a symbolic link in the last part of the path is followed
 * @throws NoPlainFile
 */
export function* piecesOf(path: string, limit: number, links: 'followed' | 'refused'): Generator<Buffer> {
  const descriptor = openPlain(path, links);
  try {
    const buffer = Buffer.allocUnsafe(Math.min(limit + 1, 2 ** 18));
    let total = 0;
    for (;;) {
      const count = readSync(descriptor, buffer);
      if (count === 0) return;
      total += count;
      if (total > limit) throw new NoPlainFile(`it is larger than ${limit} bytes`, 'EFBIG');
      yield buffer.subarray(0, count);
    }
  } finally {
    closeSync(descriptor);
  }
}

/** The whole file, as `piecesOf`. */
export function bytesOf(path: string, limit: number, links: 'followed' | 'refused'): Buffer {
  const pieces: Buffer[] = [];
  for (const piece of piecesOf(path, limit, links)) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

/** A descriptor of a plain file, for reading; the caller closes it. @throws NoPlainFile */
export function openPlain(path: string, links: 'followed' | 'refused'): number {
  const descriptor = open(path, links);
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw new NoPlainFile('it is no plain file');
}

function open(path: string, links: 'followed' | 'refused'): number {
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
  try {
    return openSync(path, O_RDONLY | O_NONBLOCK | (links === 'refused' ? O_NOFOLLOW : 0));
  } catch (cause) {
    const code = codeOf(cause) ?? 'unknown error';
    throw new NoPlainFile(MEANINGS[code] ?? `it cannot be opened (${code})`, code);
  }
}

/** ELOOP: the path ends in a link, and none is followed; ENXIO: a socket, or a pipe that nobody has open. */
const MEANINGS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file: a part of its path is no folder',
  ELOOP: 'it is no plain file (links are not followed)',
  ENXIO: 'it is no plain file',
};
