import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { FORMATS } from '../report/formats.ts';

const OWN_FILES: ReadonlySet<string> = new Set([
  'trace.ndjson',
  'load.json',
  ...Object.values(FORMATS).map(({ file }) => file),
]);

/**
 * Makes a folder, and those above it that are missing. One by one, since `mkdir` of Node.js never ends where it is to
 * make all at once below a folder in which the system lets nothing be made, such as /proc.
 *
 * @throws the file system's error (EACCES, ENOTDIR …)
 */
export function makeFolder(folder: string): void {
  const missing: string[] = [];
  for (let at = resolve(folder); !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.push(at);
  for (const each of missing.reverse()) mkdirSync(each);
  // Of a file of that name it says so.
  readdirSync(folder);
}

/** What a run would write over in a folder: `a run`, or the names of files of anybody else's; null: nothing. */
export function inTheWay(folder: string): string | null {
  const names = filesInTheWay(folder);
  if (names.length === 0) return null;
  return names.some((name) => name === 'trace.ndjson' || name === 'records-1.raw') ? 'a run' : names.join(', ');
}

function filesInTheWay(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((name) => OWN_FILES.has(name) || /^records-\d+\.raw$/.test(name));
}

/**
 * Whether a folder is that of a run, whose reports may be made again there; or holds none of the files that one has.
 */
export function takesReports(folder: string): boolean {
  const names = filesInTheWay(folder);
  return names.length === 0 || names.includes('trace.ndjson') || names.includes(FORMATS.json.file);
}
