/** A part of a text: from one place to before another. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** One way to read a text: its characters, and for each of them the part of the text that it was read from. */
export interface Reading {
  readonly chars: string;
  readonly from: readonly number[];
  readonly to: readonly number[];
}

/** How deeply encodings are undone within each other: base64 of hex of percent-encoding is three. */
const DEPTH = 4;

/**
 * All readings of a text: unchanged, backwards, without separators in its escapes, and with escapes, character codes
 * and radix encodings undone, also within each other. An encoding is undone at every possible start, so a secret inside
 * a longer encoded text is found at any alignment. Null for a hostile text with more readings than there is time for:
 * an ordinary text has readings of some five times its own length.
 *
 * @param shortest readings with fewer characters are left out, because no secret fits into them
 */
export function readingsOf(text: string, shortest: number): readonly Reading[] | null {
  const readings: Reading[] = [identity(text)];
  const seen = new Set([text]);
  const most = 20 * text.length + 2_000;
  let length = 0;
  let first = 0;
  for (let depth = 0; depth < DEPTH; depth += 1) {
    const last = readings.length;
    for (; first < last; first += 1) {
      const reading = readings[first];
      if (!reading) break;
      for (const further of decoded(reading, shortest)) {
        if (further.chars.length < shortest || seen.has(further.chars)) continue;
        length += further.chars.length;
        if (length > most) return null;
        seen.add(further.chars);
        readings.push(further);
      }
    }
  }
  return readings;
}

/** A text as it is. */
function identity(text: string): Reading {
  const from = Array.from({ length: text.length }, (_, at) => at);
  return { chars: text, from, to: from.map((at) => at + 1) };
}

function decoded(reading: Reading, shortest: number): readonly Reading[] {
  return [
    ...ESCAPES.flatMap((each) => unescaped(reading, each)),
    ...RADICES.flatMap((radix) => outOfRadix(reading, radix, shortest)),
    ...outOfCodes(reading, shortest),
    backwards(reading),
    ...withoutFiller(reading),
  ];
}

/** The characters of escapes. Between them there may be separators: without these, `% - 2 B` is `%2B`. */
const OF_ESCAPES = /[0-9a-z%\\&#;=+{}]/i;

/** A text whose escapes were broken up: spaced, hyphenated, or written as a list of characters. */
function withoutFiller(reading: Reading): readonly Reading[] {
  const kept = only(OF_ESCAPES, reading);
  return kept.chars.length === reading.chars.length || !/[%\\&=+]/.test(reading.chars) ? [] : [kept];
}

/** A reading without the characters that do not match. */
export function only(pattern: RegExp, { chars, from, to }: Reading): Reading {
  const kept = chars.split('').flatMap((char, at) => (pattern.test(char) ? [at] : []));
  return {
    chars: kept.map((at) => chars[at] ?? '').join(''),
    from: kept.map((at) => from[at] ?? 0),
    to: kept.map((at) => to[at] ?? 0),
  };
}

function backwards({ chars, from, to }: Reading): Reading {
  return { chars: chars.split('').reverse().join(''), from: [...from].reverse(), to: [...to].reverse() };
}

/** A way to spell single characters; `code` returns the character's code from the pattern's group. */
interface Escape {
  readonly pattern: RegExp;
  readonly code: (group: string) => number;
}

const hex = (digits: string): number => Number.parseInt(digits, 16);
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const ESCAPES: readonly Escape[] = [
  { pattern: /%([0-9a-f]{2})/gi, code: hex },
  { pattern: /(?:%u|\\u|U\+)([0-9a-f]{4})/gi, code: hex },
  { pattern: /\\u\{([0-9a-f]{1,6})\}/gi, code: hex },
  { pattern: /(?:\\x|0x)([0-9a-f]{2})/gi, code: hex },
  { pattern: /=([0-9a-f]{2})/gi, code: hex },
  { pattern: /&#x([0-9a-f]{2,6});?/gi, code: hex },
  { pattern: /&#([0-9]{2,7});?/g, code: Number },
  { pattern: /&(amp|lt|gt|quot|apos);/g, code: (name) => ENTITIES[name]?.charCodeAt(0) ?? 0 },
  { pattern: /\\([0-7]{3})/g, code: (digits) => Number.parseInt(digits, 8) },
  { pattern: /\\(["'\\/])/g, code: (char) => char.charCodeAt(0) },
];

function unescaped(reading: Reading, { pattern, code }: Escape): readonly Reading[] {
  const { chars } = reading;
  const made: { chars: string[]; from: number[]; to: number[] } = { chars: [], from: [], to: [] };
  const add = (char: string, start: number, end: number): void => {
    const { from, to } = spanOf(reading, start, end);
    made.chars.push(char);
    made.from.push(from);
    made.to.push(to);
  };
  let next = 0;
  for (const match of chars.matchAll(pattern)) {
    for (; next < match.index; next += 1) add(chars[next] ?? '', next, next + 1);
    next = match.index + match[0].length;
    // One UTF-16 unit for each, so characters and positions correspond.
    add(String.fromCharCode(code(match[1] ?? '')), match.index, next);
  }
  if (next === 0) return [];
  for (; next < chars.length; next += 1) add(chars[next] ?? '', next, next + 1);
  return [{ ...made, chars: made.chars.join('') }];
}

/** A base whose digits stand for whole bits. Other letters end a number; other characters may separate digits. */
interface Radix {
  readonly bits: number;
  /** By character code: the value of a digit, or one of the two below. */
  readonly values: readonly number[];
}

const BETWEEN = -1;
const END = -2;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const ALPHANUMERIC = `${LETTERS}${LETTERS.toLowerCase()}0123456789`;

function radix(bits: number, ...alphabets: readonly string[]): Radix {
  const values: number[] = Array.from({ length: 128 }, (_, code) =>
    ALPHANUMERIC.includes(String.fromCharCode(code)) ? END : BETWEEN,
  );
  for (const alphabet of alphabets) {
    for (let value = 0; value < alphabet.length; value += 1) values[alphabet.charCodeAt(value)] = value;
  }
  return { bits, values };
}

const RADICES: readonly Radix[] = [
  radix(1, '01'),
  radix(4, '0123456789abcdef', '0123456789ABCDEF'),
  radix(5, `${LETTERS}234567`, `${LETTERS.toLowerCase()}234567`),
  // Both alphabets of RFC 4648; and one whose digits have hyphens and the like between them.
  radix(6, `${ALPHANUMERIC}+/`, `${ALPHANUMERIC}-_`),
  radix(6, `${ALPHANUMERIC}+/`),
];

function outOfRadix(reading: Reading, { bits, values }: Radix, shortest: number): readonly Reading[] {
  const { chars } = reading;
  if (chars.length * bits < shortest * 8) return [];
  const gathered = gatherer(shortest);
  // A number that lost digits may start anywhere in a byte, and a byte anywhere in a digit: so few bits are left out
  // that none is lost beyond the first byte. The step is the greatest common divisor of the bits of a digit and of a
  // byte.
  for (let start = 0; start < 8; start += bits & -bits) {
    let skip = start;
    let held = 0;
    let count = 0;
    let from = 0;
    for (let at = 0; at < chars.length; at += 1) {
      const value = values[chars.charCodeAt(at)] ?? BETWEEN;
      if (value === BETWEEN) continue;
      if (value === END) {
        gathered.end();
        skip = start;
        count = 0;
        continue;
      }
      const skipped = Math.min(skip, bits);
      skip -= skipped;
      if (count === 0) from = at;
      held = ((held << bits) | value) & 0xffff;
      count += bits - skipped;
      if (count < 8) continue;
      count -= 8;
      gathered.take((held >> count) & 0xff, spanOf(reading, from, at + 1));
      from = at;
    }
    gathered.end();
  }
  return gathered.readings;
}

/** Decimal codes of ASCII characters, with any separators. */
function outOfCodes(reading: Reading, shortest: number): readonly Reading[] {
  const gathered = gatherer(shortest);
  for (const { 0: digits, index } of reading.chars.matchAll(/\d+/g)) {
    gathered.take(Math.min(0xff, Number(digits)), spanOf(reading, index, index + digits.length));
  }
  gathered.end();
  return gathered.readings;
}

/** Collects the parts of decoded bytes that are text. It skips zeroes, because the text may be in UTF-16. */
function gatherer(shortest: number) {
  const readings: Reading[] = [];
  let current: { chars: string; from: number[]; to: number[] } = { chars: '', from: [], to: [] };
  const end = (): void => {
    if (current.chars.length >= shortest) readings.push(current);
    if (current.chars !== '') current = { chars: '', from: [], to: [] };
  };
  const take = (byte: number, { from, to }: Span): void => {
    if (byte === 0) return;
    if (byte < 0x20 || byte > 0x7e) {
      end();
      return;
    }
    current.chars += String.fromCharCode(byte);
    current.from.push(from);
    current.to.push(to);
  };
  return { readings, take, end };
}

/** The place in the original text of the characters from `start` to before `end` of a reading, in either direction. */
export function spanOf({ from, to }: Omit<Reading, 'chars'>, start: number, end: number): Span {
  return {
    from: Math.min(from[start] ?? 0, from[end - 1] ?? 0),
    to: Math.max(to[start] ?? 0, to[end - 1] ?? 0),
  };
}
