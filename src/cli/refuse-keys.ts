import { keyHider } from '../profile/hide-keys.ts';
import { UsageError } from './usage-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Replaces whatever in a text leads to a key that is set, be it one that would be accepted or not: for what is said before keys are read, and
 * for errors that nobody foresaw.
 */
export function hiderOfSetKeys(variables: Environment): (text: string) => string {
  return keyHider({ full: possibleKeys(variables), restricted: null, revoked: null });
}

/**
 * Says which argument holds a key, or enough of one to give it away, without repeating it; null where none does. Any user of the machine
 * can list arguments, shells keep them, and what they say is recorded: no key has business there. To be asked before anything else
 * looks at them.
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

/** Whatever may be a key, whether it would be accepted as one or not. */
function possibleKeys(env: Environment): readonly string[] {
  const values = Object.entries(env).flatMap(([name, value]) =>
    /^SIZE_CHART_\w*KEYS?$/.test(name) ? [value ?? ''] : [],
  );
  // Shorter ones are refused where keys are read, and are parts of many words.
  return [...new Set(values.flatMap((value) => value.split(/[\s,;"']+/)))].filter((key) => key.length >= 8);
}

/** The file of variables that arguments name, before anything else of them is looked at; null where they name none. */
export function envFileOf(argv: readonly string[]): string | null {
  const at = argv.findLastIndex((argument) => /^--keys-file(=|$)/.test(argument));
  const argument = argv[at];
  if (argument === undefined) return null;
  return argument.includes('=') ? argument.slice(argument.indexOf('=') + 1) : (argv[at + 1] ?? null);
}
