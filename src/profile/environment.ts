import { parse } from 'dotenv';
import { bytesOf, NoPlainFile } from '../plain-file.ts';
import { BASE_URL_VARIABLE, KEY_VARIABLES, readKeys } from './keys.ts';
import { nearest } from './nearest.ts';
import type { Keys } from './profile.ts';

/** What a run takes from its surroundings. */
export interface Environment {
  readonly keys: Keys;
  /** SIZE_CHART_BASE_URL; null where it is not set. */
  readonly baseUrl: string | null;
}

/** A file of variables is no larger than this. */
const MOST_BYTES = 1_000_000;

/** What a file of variables sets. @throws NoPlainFile */
export function variablesIn(file: string): Readonly<Record<string, string>> {
  return parse(bytesOf(file, MOST_BYTES, 'followed'));
}

/**
 * Reads keys and base URL from the environment and, for what is not set there, from a `.env` file. Only a file that was
 * asked for by name (`named`) must exist. The process's environment is not changed: keys pass to no child process.
 */
export function loadEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  file: string,
  named: boolean,
): { readonly environment: Environment } | { readonly errors: readonly string[] } {
  let fromFile: Readonly<Record<string, string>> = {};
  try {
    fromFile = variablesIn(file);
  } catch (error) {
    const { message, code } = error instanceof NoPlainFile ? error : { message: 'it cannot be read', code: null };
    if (named || code !== 'ENOENT') return { errors: [`${file}: ${message}. Check the path given by --env-file.`] };
  }
  const merged = { ...fromFile, ...env };
  const read = readKeys(merged);
  const misnamed = Object.keys(merged).flatMap((name) => misnamedKey(name, merged));
  if ('errors' in read) return { errors: [...read.errors, ...misnamed] };
  if (misnamed.length > 0) return { errors: misnamed };
  const baseUrl = merged[BASE_URL_VARIABLE]?.trim();
  return { environment: { keys: read.keys, baseUrl: baseUrl ? baseUrl : null } };
}

/** Variables of keys that other parts of the suite read: the load scripts by hand, and recipes for signing. */
const OTHER_VARIABLES = ['SIZE_CHART_KEYS_FILE', 'SIZE_CHART_TLS_KEY', 'SIZE_CHART_SIGNING_KEY'];

/** A variable that is meant for a key and that nothing reads, where the one that was meant is not set. */
function misnamedKey(name: string, all: Readonly<Record<string, string | undefined>>): readonly string[] {
  const known: readonly string[] = [...Object.values(KEY_VARIABLES), ...OTHER_VARIABLES];
  if (!/^SIZE_CHART_\w*KEY\w*$/.test(name) || known.includes(name) || !all[name]) return [];
  const near = nearest(name, Object.values(KEY_VARIABLES)) ?? KEY_VARIABLES.full;
  return all[near] ? [] : [`${name} is no variable of the suite. Did you mean ${near}?`];
}
