/** Shorter words are names, numbers and identifiers. */
const LEAST_LENGTH = 16;
const RUN_FOLDER = /^\d{4}-\d\d-\d\d(T[\d-]+Z)?(-[a-z]+)*$/;

/**
 * Whether a word looks like an API key, for words that no key is known for: then messages must not repeat it. Words of
 * letters and the names of run folders do not.
 */
export function looksSecret(word: string): boolean {
  if (word.length < LEAST_LENGTH || RUN_FOLDER.test(word)) return false;
  const parts = word.split(/[^A-Za-z0-9]+/);
  const mixed = parts.some((part) => part.length >= 8 && /\d/.test(part) && /[a-z]/i.test(part));
  return mixed || parts.some((part) => part.length > 24) || (/\d/.test(word) && word.length >= 24);
}
