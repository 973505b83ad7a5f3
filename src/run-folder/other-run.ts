import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bytesOf, NoPlainFile, piecesOf } from '../plain-file.ts';
import { FORMATS } from '../report/formats.ts';
import { type Report, serialiseReport } from '../report/report.ts';

const LARGEST_REPORT = 64 * 1024 * 1024;

/**
 * What a folder holds that reports of this run must not be put beside, or over; null: nothing. It may hold this very run, whose reports are
 * made again there, unless a certificate covers its `report.json` and this one is another.
 *
 * @param source the folder that the report was made from: it is the run's own, even if its trace has changed since
 */
export function otherRunIn(folder: string, report: Report, source: string): string | null {
  const own = isSame(folder, source);
  if (!own && existsSync(join(folder, 'trace.ndjson'))) {
    if (digestOf(join(folder, 'trace.ndjson')) !== report.digests.trace) return 'the trace of another run';
  } else if (!own && existsSync(join(folder, FORMATS.json.file))) {
    if (traceDigestIn(join(folder, FORMATS.json.file)) !== report.digests.trace) return 'the report of another run';
  }
  const certified = ['envelope.json', 'report.sigstore.json', 'envelope.json.sig'].find((file) =>
    existsSync(join(folder, file)),
  );
  if (certified === undefined || textOf(join(folder, FORMATS.json.file)) === serialiseReport(report)) return null;
  return `a certificate (${certified}) of another report`;
}

function isSame(folder: string, other: string): boolean {
  const real = (path: string): string => (existsSync(path) ? realpathSync(path) : resolve(path));
  return real(folder) === real(other);
}

/** SHA-256 in hex; null: it is no file that can be read. */
function digestOf(file: string): string | null {
  const hash = createHash('sha256');
  try {
    for (const piece of piecesOf(file, Number.MAX_SAFE_INTEGER - 1, 'followed')) hash.update(piece);
  } catch (error) {
    if (error instanceof NoPlainFile) return null;
    throw error;
  }
  return hash.digest('hex');
}

function textOf(file: string): string | null {
  try {
    return bytesOf(file, LARGEST_REPORT, 'followed').toString('utf8');
  } catch (error) {
    if (error instanceof NoPlainFile) return null;
    throw error;
  }
}

/** The digest of the trace that a report names; null: it is none, or names none. */
function traceDigestIn(file: string): unknown {
  try {
    const { digests }: { digests?: { trace?: unknown } } = JSON.parse(textOf(file) ?? '');
    return digests?.trace ?? null;
  } catch {
    return null;
  }
}
