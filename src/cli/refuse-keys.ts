import { existsSync } from 'node:fs';
import { keyHider } from '../profile/hide-keys.ts';
import { looksSecret } from '../profile/looks-secret.ts';
import { UsageError } from './usage-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Replaces everything in a text that reveals a key in the environment, whether valid or not. It is for messages before
 * keys are read, and for unexpected errors.
 */
export function hiderOfSetKeys(variables: Environment): (text: string) => string {
  return keyHider({ full: possibleKeys(variables), restricted: null, revoked: null });
}

/**
 * Says which argument contains a key, or enough of one to reveal it, without repeating it; null if none does. Any user
 * of the machine can list arguments, shells store them, and the suite records them, so no key may be there. Call this
 * before any other code reads the arguments.
 *
 * @param argv arguments without interpreter and script
 */
export function refuseKeys(argv: readonly string[], hide: (text: string) => string): UsageError | null {
  const errors = argv.flatMap((argument, index) =>
    hide(argument) === argument ? [] : [`argument ${index + 1} contains an API key, or a part of one.`],
  );
  if (errors.length === 0) return null;
  return new UsageError(
    `${errors.join('\n')}\nKeys come from the environment or .env only. Other users of this machine can list arguments, and shells record them: replace that key in the administration panel.`,
  );
}

/**
 * Replaces words of the arguments that look like keys, for messages: a key that is set nowhere is not known, but
 * somebody may have given it as the value of an option. The name of something that exists is none.
 */
export function hiderOfGivenWords(argv: readonly string[]): (text: string) => string {
  const words = argv
    .map((argument) => argument.replace(/^--[a-z-]+=/, ''))
    .filter((argument) => !existsSync(argument))
    .flatMap((argument) => argument.split(/[\s,;=/@?&:.()|!*"']+/))
    .filter(looksSecret);
  const longestFirst = [...new Set(words)].sort((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((clean, word) => clean.replaceAll(word, '…'), text);
}

/** All possible keys in the environment, whether valid or not. */
function possibleKeys(env: Environment): readonly string[] {
  const values = Object.entries(env).flatMap(([name, value]) =>
    /^SIZE_CHART_\w*KEYS?$/.test(name) ? [value ?? ''] : [],
  );
  // The code that reads keys refuses shorter ones, and these occur in many words.
  return [...new Set(values.flatMap((value) => value.split(/[\s,;"']+/)))].filter((key) => key.length >= 8);
}

/** The file of variables that the arguments name, read before any other argument; null if they name none. */
export function envFileOf(argv: readonly string[]): string | null {
  const at = argv.findLastIndex((argument) => /^--keys-file(=|$)/.test(argument));
  const argument = argv[at];
  if (argument === undefined) return null;
  return argument.includes('=') ? argument.slice(argument.indexOf('=') + 1) : (argv[at + 1] ?? null);
}
