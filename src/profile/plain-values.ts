/**
 * A whole number, or a date of HTTP (RFC 9110, section 5.6.7): a limit, a count or a time. No encoded secret fits into
 * one, so only the digits of a secret and of its digests are searched for.
 */
const PLAIN =
  /^\s*(\d{1,20}|(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT)\s*$/;

export function isPlain(text: string): boolean {
  return PLAIN.test(text);
}

/** All sequences of this many digits in a secret, in both directions, with the secret's alias. */
export function numbersOf(
  secrets: readonly { readonly alias: string; readonly text: string }[],
  length: number,
): ReadonlyMap<string, string> {
  const numbers = new Map<string, string>();
  for (const { alias, text } of secrets) {
    for (const run of text.replace(/[^0-9a-z]+/gi, '').match(/\d+/g) ?? []) {
      for (const way of [run, run.split('').reverse().join('')]) {
        for (let at = 0; at + length <= way.length; at += 1) numbers.set(way.slice(at, at + length), alias);
      }
    }
  }
  return numbers;
}

/** The alias whose sequence of this many digits a plain value contains; null: none. */
export function inNumber(text: string, numbers: ReadonlyMap<string, string>, length: number): string | null {
  const digits = text.replace(/\D/g, '');
  for (let at = 0; at + length <= digits.length; at += 1) {
    const alias = numbers.get(digits.slice(at, at + length));
    if (alias !== undefined) return alias;
  }
  return null;
}
