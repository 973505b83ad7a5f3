import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { systemClock } from '../clock/system-clock.ts';
import type { KeySet } from './credentials.ts';
import { DEFECTS } from './defects.ts';
import { referenceProfile } from './profile.ts';
import { type ReferenceOptions, startReference } from './server.ts';
import { VARIANTS } from './variants.ts';

const HELP = `Runs a server of the Size Chart Service API v1 that conforms, or has one seeded defect.

Usage: size-chart-conformance reference [options]

  --port N          port to listen on (default: any free one)
  --host NAME       address to listen on (default: 127.0.0.1)
  --variant NAME    admissible variant to run (default: ${VARIANTS[0]?.name})
  --defect NAME     seeded defect to run
  --list            print all variants and defects, and end
  --time-scale N    run N times faster than real time (default: 1); give the suite the same
  --jitter MIN-MAX  latency added to each answer, in ms
  --resets N        fraction of requests whose connection is reset, from 0 to 1
  --skew N          seconds that the server's clock is ahead
  --seed N          seed of jitter and resets
  --profile FILE    write the server's target profile to FILE

Keys come from SIZE_CHART_KEYS, SIZE_CHART_RESTRICTED_KEY and SIZE_CHART_REVOKED_KEY. Without them, keys are made up and
printed: throw-away keys of a server that keeps nothing.
`;

const OPTIONS = {
  port: { type: 'string' },
  host: { type: 'string' },
  variant: { type: 'string' },
  defect: { type: 'string' },
  list: { type: 'boolean' },
  'time-scale': { type: 'string' },
  jitter: { type: 'string' },
  resets: { type: 'string' },
  skew: { type: 'string' },
  seed: { type: 'string' },
  profile: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** What was wrong with the command line, for the user to read. */
class UsageError extends Error {}

/**
 * The command `reference`: runs the reference server until SIGINT or SIGTERM.
 *
 * @returns the exit code: 0 when it was ended, 2 where it could not start (the reason is on stderr)
 */
export async function referenceCommand(argv: readonly string[]): Promise<number> {
  try {
    const { values } = parseArgs({ args: [...argv], options: OPTIONS, strict: true, allowPositionals: false });
    if (values.help) return print(HELP);
    if (values.list) return print(listing());
    const made = environmentKeys() === null;
    const keys = environmentKeys() ?? madeUpKeys();
    const server = await startReference({ ...serverOptions(values), keys });
    if (values.profile !== undefined) await writeFile(values.profile, referenceProfile(server.baseUrl));
    print(`Listening on ${server.baseUrl}\n${made ? exports(keys, server.baseUrl) : ''}Ctrl-C ends it.\n`);
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
    await server.close();
    return 0;
  } catch (error) {
    process.stderr.write(`${explain(error)}\nSee --help for the options, --list for variants and defects.\n`);
    return 2;
  }
}

function serverOptions(
  values: {
    readonly [Name in keyof typeof OPTIONS]?: string | boolean | undefined;
  },
): Omit<ReferenceOptions, 'keys'> {
  const text = (name: keyof typeof OPTIONS): string | undefined => values[name] as string | undefined;
  const number = (name: keyof typeof OPTIONS, least: number, most: number): number | undefined => {
    const given = text(name);
    if (given === undefined) return undefined;
    const value = given.trim() === '' ? Number.NaN : Number(given);
    if (value >= least && value <= most) return value;
    throw new UsageError(`--${name} must be a number from ${least} to ${most}, not "${given}".`);
  };
  return {
    port: number('port', 0, 65_535),
    host: text('host'),
    variant: known('variant', text('variant'), VARIANTS),
    defect: known('defect', text('defect'), DEFECTS),
    clock: systemClock(number('time-scale', 1, 1000) ?? 1),
    jitter: jitterRange(text('jitter')),
    resets: number('resets', 0, 1),
    skew: number('skew', -1e9, 1e9),
    seed: number('seed', 0, 2 ** 32),
  };
}

function known(
  option: string,
  name: string | undefined,
  list: readonly { readonly name: string }[],
): string | undefined {
  if (name === undefined || list.some((each) => each.name === name)) return name;
  throw new UsageError(`--${option} names no ${option} of the reference server: "${name}".`);
}

function jitterRange(text: string | undefined): readonly [number, number] | undefined {
  if (text === undefined) return undefined;
  const [, least, most] = /^(\d+)-(\d+)$/.exec(text) ?? [];
  if (Number(least) <= Number(most)) return [Number(least), Number(most)];
  throw new UsageError(`--jitter must be two whole numbers of ms such as 5-200, not "${text}".`);
}

function environmentKeys(): KeySet | null {
  const { SIZE_CHART_KEYS, SIZE_CHART_RESTRICTED_KEY, SIZE_CHART_REVOKED_KEY } = process.env;
  const full = (SIZE_CHART_KEYS ?? '').split(',').flatMap((key) => key.trim() || []);
  if (full.length === 0) return null;
  return { full, restricted: SIZE_CHART_RESTRICTED_KEY ?? null, revoked: SIZE_CHART_REVOKED_KEY ?? null };
}

function madeUpKeys(): KeySet & { readonly full: readonly string[] } {
  const key = (role: string): string => `${role}-${randomBytes(12).toString('hex')}`;
  return { full: [1, 2, 3, 4].map(() => key('full')), restricted: key('restricted'), revoked: key('revoked') };
}

function exports({ full, restricted, revoked }: KeySet, baseUrl: string): string {
  return [
    'Throw-away keys of this in-memory server; they end with it. For the suite:',
    `export SIZE_CHART_BASE_URL=${baseUrl}`,
    `export SIZE_CHART_KEYS=${full.join(',')}`,
    `export SIZE_CHART_RESTRICTED_KEY=${restricted}`,
    `export SIZE_CHART_REVOKED_KEY=${revoked}`,
    '',
  ].join('\n');
}

function listing(): string {
  const lines = (list: readonly { readonly name: string; readonly description: string }[]): string =>
    list.map(({ name, description }) => `  ${name.padEnd(30)}${description}\n`).join('');
  return `Variants, all of which conform:\n${lines(VARIANTS)}\nDefects:\n${lines(DEFECTS)}`;
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inUse = 'code' in error && error.code === 'EADDRINUSE';
  return inUse ? 'The port is in use: choose another with --port, or leave it out for any free one.' : error.message;
}
