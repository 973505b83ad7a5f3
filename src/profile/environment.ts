import { parse } from 'dotenv';
import { bytesOf, NoPlainFile } from '../plain-file.ts';
import { envFileWarnings } from './env-file.ts';
import { BASE_URL_VARIABLE, KEY_VARIABLES, readKeys } from './keys.ts';
import { nearest } from './nearest.ts';
import type { Keys } from './profile.ts';

/** What a run takes from its environment. */
export interface Environment {
  readonly keys: Keys;
  /** SIZE_CHART_BASE_URL; null if it is not set. */
  readonly baseUrl: string | null;
}

/** A file of variables is no larger than this. */
const MOST_BYTES = 1_000_000;

/** The variables that a command uses. */
export interface Variables {
  readonly values: Readonly<Record<string, string | undefined>>;
  /** Why the file of variables cannot be read; null if it can. */
  readonly problem: string | null;
  /** Where a variable was set, such as `in .env`. Left out: not known. */
  readonly placeOf?: (name: string) => string;
  /** What the file of variables probably means otherwise than it is read. Left out: nothing. */
  readonly warnings?: readonly string[];
}

/**
 * The variables of the environment and, for those not set there, of a file: `named`, which must exist, or `.env`, which
 * may be missing. The process's environment does not change, so no child process gets the keys.
 */
export function readVariables(env: Readonly<Record<string, string | undefined>>, named: string | null): Variables {
  const file = named ?? '.env';
  try {
    const text = bytesOf(file, MOST_BYTES, 'followed').toString('utf8');
    const inFile = parse(text);
    const placeOf = (name: string): string =>
      env[name] === undefined && name in inFile ? `in ${file}` : 'in the environment';
    return { values: { ...inFile, ...env }, problem: null, placeOf, warnings: envFileWarnings(text, file) };
  } catch (error) {
    const { message, code } = error instanceof NoPlainFile ? error : { message: 'it cannot be read', code: null };
    const isAbsent = named === null && code === 'ENOENT';
    return {
      values: env,
      placeOf: () => 'in the environment',
      problem: isAbsent ? null : `${file}: ${message}. Check the path given with --keys-file.`,
    };
  }
}

/** Keys and base URL from the variables of a command. */
export function environmentOf({
  values,
  problem,
  placeOf,
}: Variables): { readonly environment: Environment } | { readonly errors: readonly string[] } {
  if (problem !== null) return { errors: [problem] };
  const read = readKeys(values);
  const misnamed = Object.keys(values).flatMap((name) => misnamedKey(name, values));
  const errors = [...('errors' in read ? read.errors : []), ...misnamed];
  // The first variable that a sentence names is the one that is wrong.
  const placed = (text: string): string =>
    placeOf ? text.replace(/\bSIZE_CHART_\w+/, (name) => `${name} (${placeOf(name)})`) : text;
  if ('errors' in read || errors.length > 0) return { errors: errors.map(placed) };
  return { environment: { keys: read.keys, baseUrl: baseUrlOf(values) } };
}

/** The base URL that the environment sets; null: it sets none. */
export function baseUrlOf(values: Variables['values']): string | null {
  const baseUrl = values[BASE_URL_VARIABLE]?.trim();
  return baseUrl ? baseUrl : null;
}

/** Variables of keys that other parts of the suite read: the load scripts by hand, and recipes for signing. */
const OTHER_VARIABLES = ['SIZE_CHART_KEYS_FILE', 'SIZE_CHART_TLS_KEY', 'SIZE_CHART_SIGNING_KEY'];

/** A misspelt variable for a key, which nothing reads, while the intended variable is not set. */
function misnamedKey(name: string, all: Readonly<Record<string, string | undefined>>): readonly string[] {
  const known: readonly string[] = [...Object.values(KEY_VARIABLES), ...OTHER_VARIABLES];
  if (!/^SIZE_CHART_\w*KEY\w*$/.test(name) || known.includes(name) || !all[name]) return [];
  const near = nearest(name, Object.values(KEY_VARIABLES)) ?? KEY_VARIABLES.full;
  return all[near] ? [] : [`${name} is not a variable of the suite. Did you mean ${near}?`];
}
