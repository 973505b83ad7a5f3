import { quote } from '../replay/curl.ts';

/** Where the profile of a load run comes from, as its command line and its environment said. */
export interface ProfileSource {
  readonly profileFile: string;
  /** Replaces the profile's base URL; null: it does not. */
  readonly baseUrl: string | null;
}

/**
 * The command that judges records with the profile of their run, for a shell.
 *
 * @param records the record files, as the shell has to read them
 */
export function mergeText(records: string, { profileFile, baseUrl }: ProfileSource): string {
  // `merge` does not read the environment.
  const at = baseUrl === null ? '' : ` --base-url ${quote(baseUrl)}`;
  return `merge ${records} --profile ${quote(profileFile)}${at}`;
}
