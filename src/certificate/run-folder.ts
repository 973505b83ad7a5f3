import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { bytesOf, NoPlainFile } from '../plain-file.ts';
import { TraceError } from '../trace/problem.ts';
import { inspectTrace } from '../trace/read-trace.ts';
import { CertificateError, FormatError } from './certificate-error.ts';

/** The files of a run that a certificate covers or consists of, each with the maximum bytes that are read. */
const RUN_FILES = {
  trace: { name: 'trace.ndjson', bytes: 512 * 2 ** 20 },
  report: { name: 'report.json', bytes: 64 * 2 ** 20 },
  envelope: { name: 'envelope.json', bytes: 2 ** 20 },
  bundle: { name: 'report.sigstore.json', bytes: 2 ** 20 },
  sshSignature: { name: 'envelope.json.sig', bytes: 2 ** 14 },
} as const;

export type RunFile = keyof typeof RUN_FILES;

export interface RunFolder {
  /** The path of a file of the run, whether it exists or not. */
  path(file: RunFile): string;
  /**
   * The file's text (UTF-8), or null if there is none. Throws a `FormatError` if it is not a regular file, or too
   * large.
   */
  text(file: RunFile): string | null;
  /**
   * The trace, read once: the digest covers exactly these bytes. Throws a `FormatError`, or a `TraceError` if there is
   * no header.
   */
  trace(): Promise<Inspection | null>;
}

/** A trace and its problems. */
export type Inspection = Awaited<ReturnType<typeof inspectTrace>>;

/**
 * The folder of a run, which may come from anybody. It opens only files with fixed names directly in it, and only
 * regular files. It follows no link, so it reads nothing outside, and no pipe or device can block it. Throws a
 * `CertificateError` if there is no such folder.
 */
export function openRunFolder(directory: string): RunFolder {
  let root: string;
  try {
    root = realpathSync(directory);
    if (!lstatSync(root).isDirectory()) throw new Error('not a folder');
  } catch {
    throw new CertificateError(
      `There is no folder ${directory}: give the folder of a run, such as reports/2026-11-21-0900.`,
    );
  }
  const path = (file: RunFile): string => join(root, RUN_FILES[file].name);
  return {
    path,
    text: (file) => {
      const bytes = absentAsNull(() => bytesOf(path(file), RUN_FILES[file].bytes, 'refused'));
      return bytes && decode(bytes);
    },
    async trace() {
      const { bytes } = RUN_FILES.trace;
      try {
        return await inspectTrace(path('trace'), { bytes, links: 'refused' });
      } catch (cause) {
        if (cause instanceof TraceError && !existsSync(path('trace'))) return null;
        throw cause;
      }
    },
  };
}

/** The bytes that are read of a file; null if there is none. */
function absentAsNull<Found>(read: () => Found): Found | null {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof NoPlainFile)) throw cause;
    if (cause.code === 'ENOENT') return null;
    throw new FormatError(cause.message);
  }
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new FormatError('it is not UTF-8 text');
  }
}
