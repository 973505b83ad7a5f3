import { runInNewContext } from 'node:vm';
import { sample, stringMatching } from 'fast-check';

/** What a schema asks of a string. */
export interface StringRules {
  readonly pattern: string;
  readonly least: number;
  readonly most: number;
}

/** Finding a value takes milliseconds, and on a busy machine a hundred times that. Longer takes what was written to. */
const MOST_MS = 1000;
const SAMPLES = 60;
/** A generator would have to write out longer repetitions. */
const MOST_REPEATED = 1_000;

/** The first of these strings that a schema allows, or else one made from its pattern; null if none can be made. */
export function matchingString(rules: StringRules, preferred: string): string | null {
  const words = [preferred, preferred.toUpperCase(), preferred.replace(/^./, (first) => first.toUpperCase())];
  return allowed(rules, [...words, ...fitted(rules)].map(alone))?.[0] ?? null;
}

/** Whether a schema allows a string. */
export function isMatching(rules: StringRules, value: string): boolean {
  return (allowed(rules, [alone(value)]) ?? []).length > 0;
}

/**
 * A string that a schema allows and that hardly anything is called: the one with the most different characters of those
 * made from its pattern, and their number; null if none was found.
 *
 * @param but strings that something is called
 */
export function rareString(
  rules: StringRules,
  but: readonly string[],
): { readonly value: string; readonly outOf: number } | null {
  const made = (allowed(rules, [...new Set(fitted(rules))].map(alone)) ?? []).filter((each) => !but.includes(each));
  const [value] = made.toSorted((a, b) => oddity(a) - oddity(b) || new Set(b).size - new Set(a).size);
  return value === undefined ? null : { value, outOf: made.length };
}

/** What makes a string new, most certain first. The counter alone is new only within one run. */
const PARTS = [
  '-{{uuid}}',
  ' {{uuid}}',
  '_{{uuid}}',
  '{{uuid}}',
  '-{{timestamp}}-{{counter}}',
  '{{timestamp}}{{counter}}',
  '{{counter}}',
] as const;
/**
 * Each form of what a variable may stand for: first character, and length. No run sends 10,000 requests with a counter.
 */
const FILLED = [
  ['0f8fad5b-d9cb-469f-a165-70867728950e', '1700000000000', '1'],
  ['f47ac10b-58cc-4372-8567-0e02b2c3d479', '1999999999999', '42'],
  ['9c5b94b1-35ad-49bb-b118-8e8fc24abf80', '1700000000001', '987'],
  ['a0000000-0000-4000-9000-000000000000', '1700000000002', '9999'],
] as const;
/** A code such as AA-123 has no room for more digits, and no run creates as many of one thing. */
const FILLED_SHORT = FILLED.slice(0, 3);
/** A longer string is cut here before it is made new. */
const MOST_KEPT = 24;

/** A string with a part that is new in each request, as a schema allows it; null if none was found. */
export function newString(rules: StringRules, base: string): string | null {
  const bases = [base, ...madeFrom(rules.pattern).slice(0, 8)].map((each) => each.slice(0, MOST_KEPT));
  for (const part of PARTS) {
    const templates = bases.flatMap((each) => withPart(each, part));
    const filled = part === '{{counter}}' ? FILLED_SHORT : FILLED;
    const found = allowed(
      rules,
      [...new Set(templates)].map((template) => ({ template, values: filled.map((each) => fill(template, each)) })),
    );
    if (found === null) return null;
    if (found[0] !== undefined) return found[0];
  }
  return null;
}

/** A candidate, and what it becomes in requests. */
interface Candidate {
  readonly template: string;
  readonly values: readonly string[];
}

function alone(value: string): Candidate {
  return { template: value, values: [value] };
}

/** Strings made from the pattern, then the same ones cut or repeated to the lengths. */
function fitted({ pattern, least, most }: StringRules): readonly string[] {
  const made = madeFrom(pattern);
  const long = (each: string): string => (each === '' ? '' : each.repeat(Math.ceil(least / each.length)));
  const cut =
    least <= MOST_REPEATED
      ? made.map((each) => (each.length < least ? long(each).slice(0, least) : each.slice(0, most)))
      : [];
  return [...made, ...cut];
}

/** The part in place of the end, then of the middle: as much as possible of the base stays. */
function withPart(base: string, part: string): readonly string[] {
  const ends = Array.from({ length: base.length + 1 }, (_, at) => base.slice(0, base.length - at) + part);
  const middles = Array.from({ length: base.length }, (_, from) =>
    Array.from({ length: base.length - from }, (_, size) => base.slice(0, from) + part + base.slice(from + size)),
  );
  return [...ends, ...middles.flat()];
}

/** A string with each variable replaced by what it may become. */
export function typicalOf(template: string): string {
  return fill(template, FILLED[0]);
}

function fill(template: string, [uuid, timestamp, counter]: (typeof FILLED)[number]): string {
  return template.replace('{{uuid}}', uuid).replace('{{timestamp}}', timestamp).replace('{{counter}}', counter);
}

/**
 * The candidates whose values have the right length and match the pattern. A pattern is a program by the document's
 * author, which may never end, so it runs with a time limit; null: it took longer, or is no pattern.
 */
function allowed({ pattern, least, most }: StringRules, candidates: readonly Candidate[]): readonly string[] | null {
  const regex = compiled(pattern);
  if (regex === null) return null;
  const fitting = candidates.filter(({ values }) =>
    values.every((value) => [...value].length >= least && [...value].length <= most),
  );
  // On a busy machine, what matches anything might take too long as well.
  if (pattern === '') return fitting.map(({ template }) => template);
  try {
    const matched: unknown = runInNewContext(
      'JSON.stringify(JSON.parse(values).map((all) => all.every((each) => new RegExp(pattern, flags).test(each))))',
      { pattern, flags: regex.flags, values: JSON.stringify(fitting.map(({ values }) => values)) },
      { timeout: MOST_MS },
    );
    const marks: unknown = JSON.parse(String(matched));
    return Array.isArray(marks) ? fitting.filter((_, at) => marks[at] === true).map(({ template }) => template) : [];
  } catch {
    return null;
  }
}

/** JSON Schema has patterns in Unicode mode; many documents have escapes that this mode does not know. */
function compiled(pattern: string): RegExp | null {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags);
    } catch {
      // The next mode may accept it.
    }
  }
  return null;
}

/**
 * Strings made from a pattern, always the same ones, plain and short ones first; none if it has a part that cannot be
 * generated.
 */
function madeFrom(pattern: string): readonly string[] {
  const regex = compiled(pattern);
  if (regex === null || repeats(pattern) > MOST_REPEATED) return [];
  try {
    const made = sample(stringMatching(regex), { seed: 1, numRuns: SAMPLES }).filter(
      (each) => /^[\x20-\x7e]*$/.test(each) && !each.includes('{{'),
    );
    return [...new Set(made)].sort((a, b) => oddity(a) - oddity(b) || a.length - b.length);
  } catch {
    return [];
  }
}

/** The most that the counts of a pattern can multiply to, if each were within all others. */
function repeats(pattern: string): number {
  return [...pattern.matchAll(/\{(\d+)/g)].reduce((product, [, count]) => product * Math.max(1, Number(count)), 1);
}

/** How many characters of a string a reader would not expect in a name or code. */
function oddity(text: string): number {
  return text.replace(/[a-z0-9]|(?<=[a-z0-9])[ _.-](?=[a-z0-9])/gi, '').length;
}
