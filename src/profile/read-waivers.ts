import { readDocument } from './document.ts';
import { type Finding, finding } from './finding.ts';
import { waiver } from './normalise.ts';
import { list, outlineOf, record } from './outline.ts';
import type { Keys, Waiver } from './profile.ts';
import { keysIn, locate, type ProfileError, syntaxErrors, told } from './read-profile.ts';
import { readTextFile } from './read-text-file.ts';
import { checkEnds, checkWaivers, type Ended } from './rules/waivers.ts';
import { checkWaiversShape } from './shape.ts';

export interface ReadWaiversOptions {
  /** Name of the file, for the errors. */
  readonly file: string;
  /** Waivers of the profile: the file must not waive the same again. */
  readonly others: readonly Waiver[];
  /** Keys that must not occur in the file. */
  readonly keys?: Keys;
  /** Which waivers have ended, and how bad that is; left out: any may have. */
  readonly ended?: Ended;
}

export type WaiversResult =
  | { readonly waivers: readonly Waiver[]; readonly warnings: readonly ProfileError[] }
  | { readonly errors: readonly ProfileError[] };

/** Reads waivers from a file. Every problem, including a missing file, is in `errors`; it never throws. */
export function loadWaivers(file: string, options: Omit<ReadWaiversOptions, 'file'>): WaiversResult {
  const read = readTextFile(file, '--waivers');
  return 'error' in read ? { errors: [read.error] } : readWaivers(read.text, { file, ...options });
}

/**
 * Reads a file of waivers: a list, or a group with the field `waivers`, as a report offers it. The same schema, rules
 * and errors as in a profile. Returns only the waivers of the file with warnings, or all errors at once in its order.
 */
export function readWaivers(source: string, { file, others, keys, ended }: ReadWaiversOptions): WaiversResult {
  const parsed = readDocument(source);
  if ('problems' in parsed) return { errors: syntaxErrors(parsed.problems, file) };
  const { document } = parsed;
  const bare = Array.isArray(document.value);
  const value = bare ? { waivers: document.value } : document.value;
  const findings = [
    ...check(value, others),
    ...(ended ? checkEnds(outlineOf(value), ended) : []),
    ...keysIn(value, [], keys),
  ];
  const { errors, warnings } = told(findings, (found) => {
    const error = locate(bare ? { ...found, path: found.path.slice(1) } : found, file, document);
    return found.path.length === 0 ? { ...error, path: 'the file' } : error;
  });
  if (errors.length > 0) return { errors };
  return { waivers: list(record(value).waivers).map((each) => waiver(record(each))), warnings };
}

function check(value: unknown, others: readonly Waiver[]): readonly Finding[] {
  if (value === null || value === undefined) return [finding([], 'is empty', 'Write [] to waive nothing.')];
  if (typeof value !== 'object') {
    return [
      finding([], 'must be a list of waivers, or a group with the field "waivers"', 'Start each waiver with "- ".'),
    ];
  }
  return [...checkWaiversShape(value), ...checkWaivers(outlineOf(value), others)];
}
