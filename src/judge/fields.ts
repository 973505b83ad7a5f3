import { remembering } from '../trace/remembering.ts';

export type Field = 'limit' | 'remaining' | 'reset';

/** The three headers of clause 8.2: their place in a captured exchange, and their names. */
export const FIELDS: readonly { readonly field: Field; readonly name: string }[] = [
  { field: 'limit', name: 'X-RateLimit-Limit' },
  { field: 'remaining', name: 'X-RateLimit-Remaining' },
  { field: 'reset', name: 'X-RateLimit-Reset' },
];

/** A smaller marker counts seconds, and marks no point in time (HDR-6). */
export const LARGE = 1_000_000n;

/**
 * The value of a header that is one integer; null where it is absent, repeated or anything else. White space around a
 * value is no part of it (RFC 9110 §5.5). A minus sign is read as part of an integer: that a Remaining is never
 * negative is a statement of its own (HDR-4).
 *
 * @param lines the values as received, one for each field line
 */
export const integerOf: (lines: readonly string[]) => bigint | null = remembering((lines) => {
  const [line] = lines;
  if (line === undefined || lines.length > 1) return null;
  const value = withoutSpace(line);
  return /^-?[0-9]+$/.test(value) ? BigInt(value) : null;
});

/**
 * A number in groups of three digits, as languages format it: with the same separator each time, which is of other
 * alphabets more than one byte. Fewer than three groups may as well be two values, or a fraction.
 */
const GROUPED = /^-?[0-9]{1,3}([,.' _]|[\u0080-\uffff]{1,3})[0-9]{3}(\1[0-9]{3})+$/;

/** Whether the value is one number, formatted with separators between groups of digits. */
export function isGrouped(lines: readonly string[]): boolean {
  return lines.length === 1 && GROUPED.test(withoutSpace(lines[0] ?? ''));
}

/** What keeps these lines from being one integer, as they must be by clause 8.2, in words. */
export function flawOf(lines: readonly string[]): string {
  const flaw = knownFlawOf(lines);
  return flaw === null ? 'which is not an integer in decimal digits' : `${flaw}: it must be an integer`;
}

function knownFlawOf(lines: readonly string[]): string | null {
  if (lines.length > 1) return 'sent more than once';
  const value = withoutSpace(lines[0] ?? '');
  if (value === '') return 'which is empty';
  if (isGrouped(lines)) return 'which is one number, but with separators between groups of digits';
  return /^-?[0-9]+\s*[,;]/.test(value) ? 'which contains more than one value' : null;
}

/** Values as received, and no more of them than anyone wants to read. */
export function quote(lines: readonly string[]): string {
  return lines
    .slice(0, 3)
    .map((line) => `"${line.slice(0, 80)}"`)
    .join(' and ');
}

function withoutSpace(line: string): string {
  return line.replace(/^[ \t]+/, '').replace(/[ \t]+$/, '');
}
