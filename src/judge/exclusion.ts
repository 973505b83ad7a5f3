/**
 * The sentence of an argument that excludes mechanisms, by what contradicts each of them. Reports hold arguments as
 * sentences, so the other functions here read this one.
 */
export function exclusion(mechanisms: readonly string[], finding: string): string {
  return `Not ${mechanisms.join(', nor ')}: ${finding}`;
}

const EXCLUDED = /^Not [^:]+: /;

/** Whether a sentence only excludes mechanisms: it does not say what is wrong whatever the mechanism is. */
export function isExclusion(sentence: string): boolean {
  return EXCLUDED.test(sentence);
}

/** What a sentence says besides the mechanisms that it excludes, if any. */
export function findingOf(sentence: string): string {
  return sentence.replace(EXCLUDED, '');
}
