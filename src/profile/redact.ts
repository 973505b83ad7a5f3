import { encodeBase64 } from './base64.ts';
import { inNumber, isPlain, numbersOf } from './plain-values.ts';
import { only, type Reading, readingsOf, type Span, spanOf } from './readings.ts';

/** A text that must not appear anywhere, and its replacement. */
export interface Secret {
  readonly alias: string;
  readonly text: string;
  /** Not a secret itself, but similar to one: its digests reveal nothing. */
  readonly near?: boolean;
}

/** Digests of a text in hex, by every available hash function. Injected, because Node and k6 have different ones. */
export type DigestsOf = (text: string) => readonly string[];

/**
 * This many letters and digits of a secret in a row are a leak; fewer may occur by chance. 36^12 is 2^62, so no
 * unrelated text has as many of a random key.
 */
const TELLING = 12;
/** Whether a text cannot occur somewhere for another reason: short texts and numbers can. */
function isTelling(text: string): boolean {
  return text.length >= LEAST_LETTERS && (text.length >= TELLING || /\D/.test(text));
}

/** A secret with fewer letters and digits than this is searched for with the characters between them. */
const LEAST_LETTERS = 8;

/** The form of a secret that is searched for, without case and without separators between its characters. */
interface Form {
  readonly alias: string;
  readonly text: string;
  /** How many characters in a row count as found. */
  readonly window: number;
  /** Whether only letters and digits are compared. */
  readonly folded: boolean;
}

/** A part of the text that reveals a secret, and its length. */
interface Hit extends Span {
  readonly alias: string;
  /** Whether it is the secret itself in some spelling, not a part or a form of it. */
  readonly whole: boolean;
}

/**
 * A function that replaces everything in a text that reveals a secret with the secret's alias: the complete secret, or
 * twelve of its letters and digits in a row, in any case, with anything between them, backwards, or in any of the
 * encodings that `readingsOf` undoes, also within each other; and its digests. Pure.
 */
export function redactorOf(secrets: readonly Secret[], digestsOf: DigestsOf): (text: string) => string {
  const known = secrets.filter(({ text }) => isTelling(text));
  if (known.length === 0) return (text) => text;
  const search = createSearch(known, digestsOf);
  const remembered = new Map<string, string>();
  return (text) => {
    const before = remembered.get(text);
    if (before !== undefined) return before;
    const clean = replaced(text, search(text));
    if (text.length <= MOST_REMEMBERED_LENGTH) {
      if (remembered.size === MOST_REMEMBERED) remembered.clear();
      remembered.set(text, clean);
    }
    return clean;
  };
}

/** Most header values occur many times. */
const MOST_REMEMBERED = 1_000;
const MOST_REMEMBERED_LENGTH = 256;

/** Replaces a text that is not recorded because it has too many readings to check. */
export const NOT_RECORDED = '(not recorded)';

/** Windows of the forms of all secrets, and whose they are. */
interface Index {
  /** Of letters and digits alone, by length. */
  readonly folded: ReadonlyMap<number, ReadonlyMap<string, string>>;
  /** Of any characters in small letters, by length. */
  readonly plain: ReadonlyMap<number, ReadonlyMap<string, string>>;
}

/** Of more secrets than this digests are not looked for: their windows would take gigabytes. */
const MANY = 500;

function createSearch(secrets: readonly Secret[], digestsOf: DigestsOf): (text: string) => readonly Hit[] {
  // Made when first needed, since that takes a moment, and memory in each of a load generator's virtual users.
  let index: Index | null = null;
  let numbers: ReadonlyMap<string, string> | null = null;
  const digests = secrets.length > MANY ? () => [] : digestsOf;
  const shortest = Math.min(TELLING, ...secrets.map(({ text }) => text.length));
  return (text) => {
    if (text.length < shortest) return [];
    if (isPlain(text)) {
      if (text.length < TELLING) return [];
      numbers ??= numbersOf([...secrets, ...secrets.flatMap((secret) => digestTexts(secret, digests))], TELLING);
      const alias = inNumber(text, numbers, TELLING);
      return alias === null ? [] : [{ alias, from: 0, to: text.length, whole: false }];
    }
    index ??= indexOf(secrets.flatMap((secret) => formsOf(secret, digests)));
    const { folded, plain } = index;
    const readings = readingsOf(text, shortest);
    if (readings === null) return [{ alias: NOT_RECORDED, from: 0, to: text.length, whole: true }];
    return readings.flatMap((reading) => {
      const letters = only(/[0-9a-z]/i, reading);
      return [...wholes(reading, secrets), ...found(letters, folded), ...found(reading, plain)];
    });
  };
}

function indexOf(forms: readonly Form[]): Index {
  const index = { folded: new Map(), plain: new Map() } satisfies Record<keyof Index, Map<number, Map<string, string>>>;
  const add = (place: Map<number, Map<string, string>>, part: string, alias: string): void => {
    const known = place.get(part.length) ?? new Map<string, string>();
    place.set(part.length, known);
    if (!known.has(part)) known.set(part, alias);
  };
  for (const { alias, text, window, folded } of forms) {
    for (let at = 0; at + window <= text.length; at += 1) {
      const part = text.slice(at, at + window);
      if (!isTelling(part)) continue;
      add(folded ? index.folded : index.plain, part, alias);
    }
  }
  return index;
}

/** Every form of a secret. Of what is made from it, what is too short to tell is left out. */
function formsOf(secret: Secret, digestsOf: DigestsOf): readonly Form[] {
  const { alias, text, near = false } = secret;
  const letters = text.toLowerCase().replace(SEPARATORS, '');
  const folded = letters.length >= LEAST_LETTERS;
  const own = folded ? letters : text.toLowerCase();
  const itself = { alias, text: own, window: Math.min(TELLING, own.length), folded };
  if (near) return [itself];
  // Where the case of base64 was lost, it is still the secret's; what is sent for Basic is base64 already, and may come
  // back in it.
  const once = base64Pieces(text);
  const base64 = [...once, ...once.flatMap(base64Pieces), ...base64Pieces(inUtf16(text))];
  const digests = digestTexts(secret, digestsOf).map((each) => each.text);
  // Codes that are broken up cannot be told apart, and are looked for as the digits that they are.
  const codes = text
    .split('')
    .map((char) => char.charCodeAt(0))
    .join('');
  const made = [rotated(text), codes, ...base64, ...digests, ...digests.map((each) => encodeBase64(bytesOfHex(each)))]
    .map((each) => each.toLowerCase().replace(SEPARATORS, ''))
    .filter((each) => each.length >= TELLING);
  return [itself, ...made.map((each) => ({ alias, text: each, window: TELLING, folded: true }))];
}

/** The digests of a secret and of the header that holds it, in hex. */
function digestTexts({ alias, text, near = false }: Secret, digestsOf: DigestsOf): readonly Secret[] {
  return near ? [] : [text, `Bearer ${text}`].flatMap(digestsOf).map((digest) => ({ alias, text: digest }));
}

const SEPARATORS = /[^0-9a-z]+/gi;

/**
 * For each of the three alignments, the digits of base64 that the neighbours of a text in a longer one cannot change.
 */
function base64Pieces(text: string): readonly string[] {
  return [0, 1, 2].map((offset) => {
    const digits = encodeBase64('\0'.repeat(offset) + text);
    return digits.slice(offset === 0 ? 0 : offset + 1, (text.length + offset) % 3 === 0 ? undefined : -3);
  });
}

/** Its bytes in UTF-16, low byte first. */
function inUtf16(text: string): string {
  return text
    .split('')
    .map((char) => `${char}\0`)
    .join('');
}

/** ROT13. */
function rotated(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const first = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - first + 13) % 26) + first);
  });
}

function bytesOfHex(hex: string): string {
  return hex.replace(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16)));
}

/** A secret as it stands in a reading, with all of its characters. */
function wholes(reading: Reading, secrets: readonly Secret[]): Hit[] {
  return secrets.flatMap(({ alias, text }) => {
    const hits: Hit[] = [];
    for (let at = reading.chars.indexOf(text); at >= 0; at = reading.chars.indexOf(text, at + text.length)) {
      hits.push({ ...spanOf(reading, at, at + text.length), alias, whole: true });
    }
    return hits;
  });
}

/** Runs of characters that a reading shares with forms. */
function found(reading: Reading, windows: ReadonlyMap<number, ReadonlyMap<string, string>>): Hit[] {
  const text = reading.chars.toLowerCase();
  const hits: Hit[] = [];
  for (const [length, parts] of windows) {
    for (let at = 0; at + length <= text.length; at += 1) {
      const alias = parts.get(text.slice(at, at + length));
      if (alias !== undefined) hits.push({ ...spanOf(reading, at, at + length), alias, whole: false });
    }
  }
  return joined(hits);
}

/** Hits of one secret that touch made one. */
function joined(hits: readonly Hit[]): Hit[] {
  const inOrder = [...hits].sort((a, b) => a.from - b.from);
  const made: Hit[] = [];
  for (const hit of inOrder) {
    const last = made.at(-1);
    if (last && last.alias === hit.alias && hit.from <= last.to)
      made[made.length - 1] = { ...last, to: Math.max(last.to, hit.to) };
    else made.push(hit);
  }
  return made;
}

/**
 * What is whole comes first, then the longest: of two secrets of which one starts with the other, the longer is named.
 */
function replaced(text: string, hits: readonly Hit[]): string {
  if (hits.length === 0) return text;
  const owner: (Hit | null)[] = Array.from({ length: text.length }, () => null);
  for (const hit of [...hits].sort((a, b) => Number(b.whole) - Number(a.whole) || b.to - b.from - (a.to - a.from))) {
    for (let at = hit.from; at < hit.to; at += 1) owner[at] ??= hit;
  }
  let clean = '';
  for (const [at, hit] of owner.entries()) {
    if (hit === null) clean += text[at];
    else if (owner[at - 1]?.alias !== hit.alias) clean += hit.alias;
  }
  return clean;
}
