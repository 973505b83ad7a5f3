import { bytesOf } from '../plain-file.ts';
import { errorOf, type ProfileError } from './read-profile.ts';

/** No profile is larger. */
const MOST_BYTES = 1_000_000;

/**
 * The text of a file that the user gave with `option`, or why it cannot be read. Never throws.
 *
 * @param otherwise what else to do if it does not exist, as the rest of the sentence "Give its path with …"
 */
export function readTextFile(
  file: string,
  option: string,
  otherwise = '',
): { readonly text: string } | { readonly error: ProfileError } {
  const refused = (problem: string, remedy: string) => ({ error: errorOf(file, problem, remedy) });
  let bytes: Buffer;
  try {
    bytes = bytesOf(file, MOST_BYTES, 'followed');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : 'unknown';
    switch (code) {
      case 'ENOENT':
        return refused('there is no such file', `Give its path with ${option}${otherwise}.`);
      case 'EFBIG':
        return refused('the file is larger than 1 MB', 'List fewer operations.');
      case null:
      case 'ENXIO':
        return refused('is not a file', `Give the path of a YAML or JSON file with ${option}.`);
      default:
        return refused(`the file cannot be read (${String(code)})`, 'Check its permissions.');
    }
  }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return refused('the file is not UTF-8 text', 'Save it as UTF-8.');
  }
}
