import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { Variables } from '../profile/environment.ts';
import { KEY_VARIABLES } from '../profile/keys.ts';
import type { Invocation } from './arguments.ts';
import type { UsageError } from './usage-error.ts';

/** `certify` makes the folder of a run below `reports`, where it was started. */
const MOST_UP = 2;

/**
 * The `.env` file where a run was probably started, if a replay finds no keys: reports name the command for the folder
 * of the run. Null if it needs none, or if there is none in the two folders above the run.
 *
 * @param env the variables of the process
 */
export function keysBesideRun(
  invocation: Invocation | UsageError,
  env: Variables['values'],
  exists: (file: string) => boolean = existsSync,
): string | null {
  if (!('command' in invocation) || invocation.command !== 'replay') return null;
  if (invocation.given.has('keys-file') || env[KEY_VARIABLES.full] || exists('.env')) return null;
  let folder = resolve(invocation.positionals[0] ?? '.');
  for (let up = 0; up < MOST_UP; up++) {
    folder = dirname(folder);
    const file = join(folder, '.env');
    if (exists(file)) return relative(process.cwd(), file);
  }
  return null;
}
