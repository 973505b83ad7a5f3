import type { Keys } from './profile.ts';

/** Variables that the suite reads, in the environment or in the `.env` file. */
export const KEY_VARIABLES = {
  full: 'SIZE_CHART_KEYS',
  restricted: 'SIZE_CHART_RESTRICTED_KEY',
  revoked: 'SIZE_CHART_REVOKED_KEY',
} as const;
export const BASE_URL_VARIABLE = 'SIZE_CHART_BASE_URL';

/** One key with the alias under which traces, logs and reports know it. */
export interface NamedKey {
  readonly alias: string;
  readonly key: string;
  /** Where it was read from, such as `entry 2 of SIZE_CHART_KEYS`. */
  readonly origin: string;
}

/**
 * Reads the API keys by role, all from `env` (an environment, or a parsed `.env`). If a variable is absent or blank,
 * its role has no key. Errors are sentences that contain no key.
 */
export function readKeys(
  env: Readonly<Record<string, string | undefined>>,
): { readonly keys: Keys } | { readonly errors: readonly string[] } {
  const full = splitList(env[KEY_VARIABLES.full]);
  const keys: Keys = {
    full,
    restricted: single(env[KEY_VARIABLES.restricted]),
    revoked: single(env[KEY_VARIABLES.revoked]),
  };
  const errors = [...namedKeys(keys).flatMap(illegal), ...contradictions(namedKeys(keys))];
  return errors.length === 0 ? { keys } : { errors };
}

/** All keys with their aliases: `key-1` … for full keys, then `restricted` and `revoked`. */
export function namedKeys(keys: Keys): readonly NamedKey[] {
  const named = keys.full.map((key, index) => ({
    alias: `key-${index + 1}`,
    key,
    origin: `entry ${index + 1} of ${KEY_VARIABLES.full}`,
  }));
  for (const role of ['restricted', 'revoked'] as const) {
    const key = keys[role];
    if (key !== null) named.push({ alias: role, key, origin: KEY_VARIABLES[role] });
  }
  return named;
}

function splitList(value: string | undefined): readonly string[] {
  return (
    single(value)
      ?.split(',')
      .map((entry) => entry.trim()) ?? []
  );
}

function single(value: string | undefined): string | null {
  return value?.trim() || null;
}

/**
 * A shorter key cannot be distinguished from unrelated words and numbers, so the suite could not keep it out of its
 * files.
 */
const LEAST_LENGTH = 8;
/** There are only ten digits: this many in a row occur in no limit, count or time in seconds. */
const LEAST_DIGITS = 12;
/** Most servers accept header sections of at most 8 KiB. */
const MOST_LENGTH = 8_000;
/** Fewer different characters make a pattern, such as `xxxxxxxx` or `********`. */
const LEAST_CHARACTERS = 4;

/** Keys as documentation writes them, this suite's included. */
const PLACEHOLDER =
  /^(first|second|third|fourth|key-?(one|two|three|four|\d)|a-key-that-lacks-permission.*|(your|my)[-_]?(api[-_]?)?key|change-?me|<.*>|\.\.\.|…|\$\{?\w+\}?)$/i;

/** The most important mistake in a key: at most one sentence. */
function illegal({ key, origin }: NamedKey): readonly string[] {
  const one = origin === KEY_VARIABLES.restricted || origin === KEY_VARIABLES.revoked;
  const odd = [...key].findIndex((character) => !/^[\x20-\x7e]$/.test(character));
  const digits = key.replace(/\D/g, '').length;
  const faults: readonly (readonly [is: boolean, says: string])[] = [
    [key === '', 'is empty. Put one comma between two keys, and none at the end.'],
    [PLACEHOLDER.test(key), 'is a placeholder. Replace it with the key from the administration panel.'],
    [one && key.includes(','), 'contains a comma. Set it to one key.'],
    [
      odd >= 0,
      `has a character at position ${odd + 1} that an HTTP header cannot contain (control or not ASCII). Copy the key again from the administration panel.`,
    ],
    // A list in quotation marks leaves one at an end of two keys. A single backtick is part of a key.
    [/^["']|["']$|^`.*`$/.test(key), 'is in quotation marks. Remove them.'],
    [
      /^(bearer|basic|token|api-?key|x-api-key|authorization)[\s:=]/i.test(key),
      'has something before the key, such as "Bearer". Give only the key: the suite adds the scheme.',
    ],
    [key.includes(';'), `contains a semicolon. ${one ? 'Set it to one key.' : 'Separate keys with commas.'}`],
    [
      key.length > MOST_LENGTH,
      `has ${key.length} characters, more than a header can hold. Copy the key again from the administration panel.`,
    ],
    [
      key.length < LEAST_LENGTH || new Set(key).size < LEAST_CHARACTERS,
      `has fewer than ${LEAST_LENGTH} characters, or too few different ones. The same text may appear in a report for another reason, so the suite could not keep the key out of reports. Create a longer key in the administration panel.`,
    ],
    [
      digits < LEAST_DIGITS && !/[a-z]/i.test(key),
      `has no letters and fewer than ${LEAST_DIGITS} digits. The suite could not tell it from a number in an answer, so it could not keep the key out of reports. Create a longer key in the administration panel.`,
    ],
  ];
  return faults
    .filter(([is]) => is)
    .map(([, says]) => `${origin} ${says}`)
    .slice(0, 1);
}

function contradictions(named: readonly NamedKey[]): readonly string[] {
  const first = new Map(named.toReversed().map((each) => [each.key, each]));
  return named.flatMap((each) => {
    const earlier = first.get(each.key);
    if (each.key === '' || !earlier || earlier === each) return [];
    return [`${each.origin} is the same key as ${earlier.origin}. ${sameKeyRemedy(each.alias)}`];
  });
}

function sameKeyRemedy(alias: string): string {
  if (alias === 'restricted') return 'The restricted key must be one that lacks permission for some operation.';
  if (alias === 'revoked') return 'The revoked key must be one that is no longer accepted.';
  return 'List each key once: a key has one budget, however often it is listed.';
}
