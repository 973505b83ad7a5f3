import { readFileSync, statSync } from 'node:fs';
import type { ProfileError } from './read-profile.ts';

/**
 * The text of a file that the user named by `option`, or why it cannot be had. Never throws.
 *
 * @param otherwise what else to do where there is none, as the rest of the sentence "Give its path by …"
 */
export function readTextFile(
  file: string,
  option: string,
  otherwise = '',
): { readonly text: string } | { readonly error: ProfileError } {
  const refused = (problem: string, remedy: string): { readonly error: ProfileError } => {
    return { error: { file, line: 0, column: 0, path: '', value: null, problem, suggestion: null, remedy } };
  };
  let bytes: Buffer;
  try {
    // A device or pipe would be read without end; the size is bounded before anything is read.
    const found = statSync(file);
    if (!found.isFile()) return refused('is not a file', `Give the path of a YAML or JSON file by ${option}.`);
    if (found.size > 1_000_000) return refused('the file is larger than 1 MB', 'Name fewer operations.');
    bytes = readFileSync(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    return code === 'ENOENT'
      ? refused('there is no such file', `Give its path by ${option}${otherwise}.`)
      : refused(`the file cannot be read (${code})`, 'Check its permissions.');
  }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return refused('the file is not UTF-8 text', 'Save it as UTF-8.');
  }
}
