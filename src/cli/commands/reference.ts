import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { codeOf } from '../../caught.ts';
import { systemClock } from '../../clock/system-clock.ts';
import { suggestion } from '../../profile/nearest.ts';
import type { KeySet } from '../../reference/credentials.ts';
import { DEFECTS } from '../../reference/defects.ts';
import { referenceProfile } from '../../reference/profile.ts';
import { type ReferenceServer, startReference } from '../../reference/server.ts';
import { throwAwayKeys } from '../../reference/throw-away-keys.ts';
import { VARIANTS } from '../../reference/variants.ts';
import { ENDING_SIGNALS } from '../ending-signals.ts';

/** The options of the command; null: not given. */
export interface ReferenceCommandOptions {
  readonly port: number | null;
  readonly host: string;
  readonly variant: string | null;
  readonly defect: string | null;
  /** Print all variants and defects, and end. */
  readonly list: boolean;
  readonly timeScale: number;
  /** Two whole numbers of ms, such as `5-200`. */
  readonly jitter: string | null;
  readonly resets: number | null;
  readonly skew: number | null;
  readonly seed: number | null;
  /** File to write the server's target profile to. */
  readonly writeProfile: string | null;
}

/**
 * The command `reference`: runs the reference server until a signal ends it, with the keys of the environment or
 * generated ones, and returns the exit code 0.
 *
 * @throws RangeError if an option makes no sense; Error if the port is in use. Both messages are for the user.
 */
export async function referenceCommand({ options }: { readonly options: ReferenceCommandOptions }): Promise<number> {
  if (options.list) return print(listing());
  const given = environmentKeys();
  const keys = given ?? throwAwayKeys();
  const server = await start(options, keys);
  const { baseUrl } = server;
  if (options.writeProfile !== null) await writeFile(options.writeProfile, referenceProfile(baseUrl));
  const ended = Promise.race(ENDING_SIGNALS.map((signal) => once(process, signal)));
  print(`Listening on ${baseUrl}\n${given ? '' : exportLines(keys, baseUrl)}Ctrl-C stops it.\n`);
  await ended;
  await server.close();
  return 0;
}

async function start(options: ReferenceCommandOptions, keys: KeySet): Promise<ReferenceServer> {
  try {
    return await startReference({
      keys,
      port: options.port ?? 0,
      host: options.host,
      variant: known('variant', options.variant, VARIANTS),
      defect: known('defect', options.defect, DEFECTS),
      clock: systemClock(options.timeScale),
      jitter: jitterRange(options.jitter),
      resets: options.resets ?? 0,
      skew: options.skew ?? 0,
      seed: options.seed ?? undefined,
    });
  } catch (error) {
    if (codeOf(error) !== 'EADDRINUSE') throw error;
    throw new Error(
      `Port ${options.port} is in use: choose another with --port, or leave --port out to use any free port.`,
    );
  }
}

function known(option: string, name: string | null, list: readonly { readonly name: string }[]): string | undefined {
  if (name === null) return undefined;
  const names = list.map((each) => each.name);
  if (names.includes(name)) return name;
  throw new RangeError(`There is no ${option} ${JSON.stringify(name)}.${suggestion(name, names)} --list shows all.`);
}

function jitterRange(text: string | null): readonly [number, number] | undefined {
  if (text === null) return undefined;
  const [, least, most] = /^(\d{1,6})-(\d{1,6})$/.exec(text) ?? [];
  if (Number(least) <= Number(most)) return [Number(least), Number(most)];
  throw new RangeError(`--jitter must be two whole numbers of ms such as 5-200, not ${JSON.stringify(text)}.`);
}

function environmentKeys(): KeySet | null {
  const { SIZE_CHART_KEYS, SIZE_CHART_RESTRICTED_KEY, SIZE_CHART_REVOKED_KEY } = process.env;
  const full = (SIZE_CHART_KEYS ?? '').split(',').flatMap((key) => key.trim() || []);
  if (full.length === 0) return null;
  return { full, restricted: SIZE_CHART_RESTRICTED_KEY ?? null, revoked: SIZE_CHART_REVOKED_KEY ?? null };
}

function exportLines({ full, restricted, revoked }: KeySet, baseUrl: string): string {
  return [
    'These keys exist only in this server and end with it. To test the server, set:',
    `export SIZE_CHART_BASE_URL=${baseUrl}`,
    `export SIZE_CHART_KEYS=${full.join(',')}`,
    `export SIZE_CHART_RESTRICTED_KEY=${restricted}`,
    `export SIZE_CHART_REVOKED_KEY=${revoked}`,
    '',
  ].join('\n');
}

function listing(): string {
  const width = Math.max(...[...VARIANTS, ...DEFECTS].map(({ name }) => name.length));
  const lines = (list: readonly { readonly name: string; readonly description: string }[]): string =>
    list.map(({ name, description }) => `  ${name.padEnd(width)}  ${description}\n`).join('');
  return `Variants, all of which conform:\n${lines(VARIANTS)}\nDefects:\n${lines(DEFECTS)}`;
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}
