import { NoPlainFile, piecesOf } from '../../plain-file.ts';
import { CertificateError } from '../certificate-error.ts';
import { type LogEntry, readEntry } from './entry.ts';

/** The lines of an access log that may belong to a run. */
export interface AccessLog {
  readonly entries: readonly LogEntry[];
  /** Lines of an unknown format. */
  readonly unread: number;
}

const MAX_BYTES = 8 * 2 ** 30;
const MAX_LINE_BYTES = 2 ** 20;

/**
 * Reads the part of an access log that may belong to a run: lines with its nonce, and lines between the two times (ms
 * since the Unix epoch). Throws a `CertificateError` if the file cannot be read, or contains no line of a known format.
 */
export function readAccessLog(file: string, nonce: string | null, [from, to]: readonly [number, number]): AccessLog {
  const entries: LogEntry[] = [];
  let unread = 0;
  let read = 0;
  for (const line of linesOf(file)) {
    if (line.trim() === '') continue;
    const entry = readEntry(line, nonce);
    if (entry === null) unread += 1;
    else {
      read += 1;
      if (entry.hasNonce || (entry.time >= from && entry.time <= to)) entries.push(entry);
    }
  }
  if (read > 0) return { entries, unread };
  throw new CertificateError(
    `${file} contains no line of an access log. Give a log in the common format, the combined format, or JSON lines with time, method, path and status.`,
  );
}

function* linesOf(file: string): Generator<string> {
  let rest = '';
  try {
    for (const piece of piecesOf(file, MAX_BYTES, 'followed')) {
      const lines = (rest + piece.toString('latin1')).split('\n');
      rest = lines.pop() ?? '';
      // A line without an end does not belong to a log.
      if (rest.length > MAX_LINE_BYTES) rest = rest.slice(0, MAX_LINE_BYTES);
      yield* lines;
    }
  } catch (cause) {
    if (!(cause instanceof NoPlainFile)) throw cause;
    throw new CertificateError(`The access log ${file} cannot be used: ${cause.message}.`);
  }
  yield rest;
}
