import { readFileSync } from 'node:fs';
import { parse } from 'dotenv';
import { BASE_URL_VARIABLE, readKeys } from './keys.ts';
import type { Keys } from './profile.ts';

/** What a run takes from its surroundings. */
export interface Environment {
  readonly keys: Keys;
  /** SIZE_CHART_BASE_URL; null where it is not set. */
  readonly baseUrl: string | null;
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
  let fromFile: Record<string, string> = {};
  try {
    fromFile = parse(readFileSync(file));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    if (named || code !== 'ENOENT') {
      return { errors: [`${file}: the file cannot be read (${code}). Check the path given by --env-file.`] };
    }
  }
  const merged = { ...fromFile, ...env };
  const read = readKeys(merged);
  if ('errors' in read) return read;
  const baseUrl = merged[BASE_URL_VARIABLE]?.trim();
  return { environment: { keys: read.keys, baseUrl: baseUrl ? baseUrl : null } };
}
