/** A way of sending a key: the two of clause 5.2, or none. */
export type Way = 'x-api-key' | 'bearer' | 'none';

/** The kinds of key that AUTH-5 names: a passing run has seen each of them refused. */
export type KeyFamily = 'unknown' | 'altered' | 'empty' | 'wrong-scheme';

/** A form in which a key is sent that no deployment has given out. */
export interface BadKey {
  /** The `variation` of its exchanges in a trace. */
  readonly name: string;
  readonly family: KeyFamily;
  /** The headers that can carry it. */
  readonly ways: readonly ('x-api-key' | 'bearer')[];
  /** In words, after `a key`: for plans and reports. */
  readonly words: string;
  /** HTTP itself lets a server refuse such a field with 400 (RFC 9110, 5.5), before it looks at the key. */
  readonly malformed: boolean;
  /** Tried by a quick check, too. */
  readonly quick: boolean;
}

/**
 * What a quick check makes do with: one form of each way in which keys are compared too loosely. Schemes are parsed one
 * by one, so one that is refused says nothing of another.
 */
const QUICK: ReadonlySet<string> = new Set(['unknown', 'altered-last', 'case-middle', 'added-last', 'empty']);

const BOTH = ['x-api-key', 'bearer'] as const;

function of(
  family: KeyFamily,
  ways: BadKey['ways'],
  words: Readonly<Record<string, string>>,
  malformed = false,
): BadKey[] {
  return Object.entries(words).map(([name, text]) => {
    return { name, family, ways, words: text, malformed, quick: family === 'wrong-scheme' || QUICK.has(name) };
  });
}

/**
 * Every form of a key that is not accepted: unknown, a neighbour of a good key in one respect, empty, or a good one
 * under another scheme than Bearer, well-formed as its own standard has it (RFC 7617, RFC 7616) or bare.
 */
export const BAD_KEYS: readonly BadKey[] = [
  ...of('unknown', BOTH, { unknown: 'made up' }),
  ...of('altered', BOTH, {
    'altered-first': 'with its first character changed',
    'altered-middle': 'with a character in the middle changed',
    'altered-last': 'with its last character changed',
    'case-first': 'with its first letter in the other case',
    'case-middle': 'with a letter in the middle in the other case',
    'case-last': 'with its last letter in the other case',
    'cut-first': 'without its first character',
    'cut-middle': 'without a character in the middle',
    'cut-last': 'without its last character',
    shortened: 'cut to two thirds',
    'added-first': 'with a character before it',
    'added-middle': 'with a character more in the middle',
    'added-last': 'with a character after it',
    lengthened: 'followed by its own beginning',
    'inner-space': 'with a space in the middle',
    'percent-encoded': 'with a character percent-encoded',
    joined: 'sent twice, joined by a comma',
  }),
  ...of('altered', BOTH, { 'look-alike': 'with a letter that only looks the same' }, true),
  ...of('altered', ['x-api-key'], { 'bearer-inside': 'in X-API-Key after the word Bearer' }),
  ...of('empty', BOTH, { empty: 'of no characters' }),
  ...of('wrong-scheme', ['bearer'], {
    'basic-user': 'as the user of Basic',
    'basic-password': 'as the password of Basic',
    'wrong-scheme': 'bare after the word Basic',
    token: 'under the scheme Token',
    'api-key-scheme': 'under the scheme ApiKey',
    digest: 'as the response of Digest',
    'no-scheme': 'in Authorization with no scheme',
  }),
];

/** The form of this name; undefined where a trace names one that this release does not know. */
export function badKeyNamed(name: string | null): BadKey | undefined {
  return BAD_KEYS.find((each) => each.name === name);
}

/** Forms that every key has. */
export const OF_EVERY_KEY: ReadonlySet<string> = new Set(['inner-space', 'percent-encoded', 'joined', 'bearer-inside']);

/**
 * Groups of forms of which all keys of a run have all or none: the first, unless keys contain characters of every
 * class; the second, if the keys are random. Every other form depends on the letters of its key.
 */
export const TOGETHER: readonly ReadonlySet<string>[] = [
  new Set([
    'altered-first',
    'altered-middle',
    'altered-last',
    'added-first',
    'added-middle',
    'added-last',
    'lengthened',
  ]),
  new Set(['cut-first', 'cut-last', 'shortened']),
];
