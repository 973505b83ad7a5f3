import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bytesOf, NoPlainFile, piecesOf } from '../plain-file.ts';
import { FORMATS } from '../report/formats.ts';
import { type Report, serialiseReport } from '../report/report.ts';

const LARGEST_REPORT = 64 * 1024 * 1024;

/**
 * What a folder holds that reports of this run must not be put beside, or over; null: nothing. It may hold this very
 * run, whose reports are made again there, unless a certificate covers its `report.json` and this one is another, or
 * that one has the figures of a load run, which no trace gives again.
 *
 * @param source the folder that the report was made from: it is the run's own, even if its trace has changed since
 */
export function otherRunIn(folder: string, report: Report, source: string): string | null {
  const own = isSame(folder, source);
  if (!own && existsSync(join(folder, 'trace.ndjson'))) {
    if (digestOf(join(folder, 'trace.ndjson')) !== report.digests.trace) return 'the trace of another run';
  } else if (!own && existsSync(join(folder, FORMATS.json.file))) {
    if (reportIn(folder)?.digests?.trace !== report.digests.trace) return 'the report of another run';
  }
  if (report.load === null && reportIn(folder)?.load)
    return 'the figures of a load run, which its trace does not give again';
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

/** What a `report.json` says, as far as it is needed here; null: there is none, or it is none. */
function reportIn(folder: string): { readonly digests?: { readonly trace?: unknown }; readonly load?: unknown } | null {
  try {
    return JSON.parse(textOf(join(folder, FORMATS.json.file)) ?? 'null');
  } catch {
    return null;
  }
}
