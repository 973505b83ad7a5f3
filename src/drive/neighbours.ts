import type { Keys } from '../profile/profile.ts';

/**
 * Neighbours of a good key: texts that differ from it in one respect, which a deployment must reject. None may be
 * somebody else's key, which a deployment would rightly accept:
 *
 * - If keys of the run that are equally long differ in twelve places or more, they are random. Then one changed
 * character gives another such key with a probability of at most about 10⁻¹², so neighbours use the keys' own
 * characters.
 * - Otherwise the keys may be numbers or names (`shop-1`, `shop-2`). Then a neighbour contains a character of a class
 * that no key of the run has (a symbol, a capital, a digit). A character is removed only from the middle of letters, so
 * that the rest cannot be a shorter name.
 *
 * A text that equals a key of the run is left out.
 */
export function neighboursOf(key: string, keys: readonly string[]): ReadonlyMap<string, string> {
  const drawn = areDrawn(keys);
  const foreign = foreignCharacter(keys);
  const own = drawn ? alphabetOf(keys) : [];
  // The padding of a key in base64 carries no information (RFC 4648, section 3.2), so altering it would not alter the
  // key.
  const end = key.replace(/=+$/, '').length;
  const middle = Math.floor(end / 2);
  const letters = [...key].flatMap((each, index) => (isLetter(each) ? [index] : []));
  const found = new Map<string, string>();
  const add = (name: string, text: string | null): void => {
    if (text !== null && text !== '' && !keys.includes(text)) found.set(name, text);
  };
  const altered = (at: number): string | null => replaced(key, at, drawn ? otherOf(key[at] ?? '', own) : foreign);
  const inserted = (at: number): string | null => {
    const extra = drawn ? otherOf(key[Math.min(at, end - 1)] ?? '', own) : foreign;
    return extra === null ? null : key.slice(0, at) + extra + key.slice(at);
  };
  const flipped = (at: number | undefined): string | null =>
    at === undefined || key.length < SHORTEST_TOLD_BY_CASE ? null : replaced(key, at, otherCase(key[at] ?? ''));
  const cut = (at: number): string | null => {
    const between = at > 0 && isLetter(key[at - 1]) && isLetter(key[at]) && isLetter(key[at + 1]);
    return drawn || between ? key.slice(0, at) + key.slice(at + 1) : null;
  };
  add('altered-first', altered(0));
  add('altered-middle', altered(middle));
  add('altered-last', altered(end - 1));
  add('case-first', flipped(letters[0]));
  add('case-middle', flipped(letters[Math.floor(letters.length / 2)]));
  add('case-last', flipped(letters.at(-1)));
  add('cut-first', cut(0));
  add('cut-middle', cut(drawn ? middle : (letters.find((at) => cut(at) !== null) ?? 0)));
  add('cut-last', cut(end - 1));
  add('shortened', drawn ? key.slice(0, Math.floor((key.length * 2) / 3)) : null);
  add('added-first', inserted(0));
  add('added-middle', inserted(middle));
  add('added-last', inserted(end));
  // Four characters, so that no lenient decoder of base64 or hex drops them.
  add('lengthened', drawn ? key + key.slice(0, 4).padEnd(4, key.slice(0, 1)) : foreign && key + foreign.repeat(4));
  add('inner-space', key.length < 2 ? null : `${key.slice(0, middle)} ${key.slice(middle)}`);
  add('percent-encoded', replaced(key, middle, percentEncoded(key[middle] ?? '')));
  add('look-alike', lookAlike(key));
  add('joined', `${key},${key}`);
  add('bearer-inside', `Bearer ${key}`);
  return found;
}

/**
 * Two keys that differ in this many places are random: with at least ten characters to choose from, there are 10¹² such
 * keys.
 */
const PLACES_LEFT_TO_CHANCE = 12;

/** In a key shorter than this, changing the case of a letter may give another valid key. */
const SHORTEST_TOLD_BY_CASE = 8;

/** A key of another length, such as one for another role, shows nothing of how the others were made. */
function areDrawn(keys: readonly string[]): boolean {
  const alike = [...Map.groupBy(new Set(keys), ({ length }) => length).values()].filter(({ length }) => length > 1);
  return (
    alike.length > 0 &&
    alike.every((own) => own.every((one, index) => own.slice(index + 1).every((other) => differ(one, other))))
  );
}

function differ(one: string, other: string): boolean {
  return [...one].filter((each, index) => each !== other[index]).length >= PLACES_LEFT_TO_CHANCE;
}

const DIGITS = '0123456789';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const HEX = '0123456789abcdef';

/**
 * The characters that the keys consist of, as far as the keys show it: hexadecimal digits are distinguished from
 * letters.
 */
function alphabetOf(keys: readonly string[]): readonly string[] {
  const used = new Set(keys.join(''));
  const core = [...used].filter((each) => /[a-z0-9]/i.test(each)).join('');
  if ([...core].every((each) => HEX.includes(each))) return [...HEX];
  if ([...core].every((each) => HEX.toUpperCase().includes(each))) return [...HEX.toUpperCase()];
  return [DIGITS, LOWER, UPPER]
    .filter((each) => [...each].some((letter) => used.has(letter)))
    .flatMap((each) => [...each]);
}

/**
 * Another character for this one. Their base64 digits differ in the two highest bits, because the lower bits of the
 * last character of a key may carry no information (RFC 4648, section 3.5).
 */
function otherOf(old: string, alphabet: readonly string[]): string | null {
  const digit = (text: string): number => `${UPPER}${LOWER}${DIGITS}+/`.indexOf(text) >> 4;
  const others = alphabet.filter((each) => each.toLowerCase() !== old.toLowerCase());
  return others.find((each) => digit(each) !== digit(old)) ?? others[0] ?? null;
}

/** A character that no key of the run has, of a class that no key has. */
function foreignCharacter(keys: readonly string[]): string | null {
  const text = keys.join('');
  const classes = [
    [/[a-z]/, 'x'],
    [/[A-Z]/, 'X'],
    [/[0-9]/, '7'],
    [/~/, '~'],
    [/!/, '!'],
    [/\*/, '*'],
  ] as const;
  return classes.find(([pattern]) => !pattern.test(text))?.[1] ?? null;
}

function replaced(key: string, at: number, by: string | null): string | null {
  return by === null || at < 0 ? null : key.slice(0, at) + by + key.slice(at + 1);
}

function isLetter(text: string | undefined): boolean {
  return text !== undefined && /^[a-z]$/i.test(text);
}

function otherCase(letter: string): string {
  return letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
}

function percentEncoded(text: string): string | null {
  return text === '' ? null : `%${text.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/** Letters of Latin-1 that look like plain ones. A header can carry no other letters (RFC 9110, 5.5). */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  a: 'à',
  c: 'ç',
  e: 'è',
  i: 'ì',
  n: 'ñ',
  o: 'ò',
  u: 'ù',
  y: 'ÿ',
  A: 'À',
  C: 'Ç',
  E: 'È',
  I: 'Ì',
  N: 'Ñ',
  O: 'Ò',
  U: 'Ù',
};

function lookAlike(key: string): string | null {
  const at = [...key].findIndex((each) => each in LOOK_ALIKES);
  return at < 0 ? null : replaced(key, at, LOOK_ALIKES[key[at] ?? ''] ?? null);
}

/** Every key of a run, whatever it may do. */
export function allKeys({ full, restricted, revoked }: Keys): readonly string[] {
  return [...full, ...[restricted, revoked].filter((each) => each !== null)];
}
