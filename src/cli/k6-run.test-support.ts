import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { REQUIREMENTS } from '../catalogue/requirements.ts';
import { systemClock } from '../clock/system-clock.ts';
import { cachedPath, findK6, type K6, loadFolder, pinnedVersion } from '../load/k6.ts';
import type { Profile } from '../profile/profile.ts';
import { readProfile } from '../profile/read-profile.ts';
import { referenceProfile } from '../reference/profile.ts';
import { startReference } from '../reference/server.ts';
import type { Report } from '../report/report.ts';
import { loadIdentity } from './load-identity.ts';
import type { LoadOptions } from './load-run.ts';

/** Only a k6 that is there already: a unit test is no time to build one. */
async function existingK6(): Promise<K6 | null> {
  const cached = cachedPath(await pinnedVersion(loadFolder()), process.env);
  const env = {
    ...process.env,
    PATH: (process.env.PATH ?? '')
      .split(':')
      .filter((folder) => !existsSync(join(folder, 'go')))
      .join(':'),
  };
  return process.env.K6_PATH || existsSync(cached) ? findK6({ env, progress: () => undefined }) : null;
}

/** The k6 with which tests run; null if there is none. */
export const k6 = await existingK6();

export const KEYS = { full: ['a-key-that-is-secret-1', 'a-key-that-is-secret-2'], restricted: null, revoked: null };

/** The reference server as the target of a test, and a folder for the test's files. */
export interface Served {
  readonly baseUrl: string;
  readonly profile: Profile;
  readonly folder: string;
  /** Options of a load run against it. */
  readonly options: (rest?: Partial<LoadOptions>) => LoadOptions;
  /** The report of a run in the folder. */
  readonly report: (name?: string) => Promise<Report>;
}

/** Serves until the test is finished. */
export async function serve({
  defect,
  scale = 1,
  variant,
}: {
  readonly defect?: string;
  readonly scale?: number;
  readonly variant?: string;
} = {}): Promise<Served> {
  const folder = await mkdtemp(join(tmpdir(), 'load-test-'));
  const server = await startReference({ keys: KEYS, clock: systemClock(scale), defect, variant });
  onTestFinished(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });
  const read = readProfile(referenceProfile(server.baseUrl), { file: 'reference' });
  if ('errors' in read) throw new Error('the reference profile is wrong');
  const { profile } = read;
  return {
    baseUrl: server.baseUrl,
    profile,
    folder,
    options: (rest = {}) => ({ ...optionsFor(profile, folder), ...rest }),
    report: async (name = 'run') => JSON.parse(await readFile(join(folder, name, 'report.json'), 'utf8')),
  };
}

function optionsFor(profile: Profile, folder: string): LoadOptions {
  return {
    scenario: 'demo',
    profile,
    source: { profileFile: 'acme.yaml', baseUrl: null },
    keys: KEYS,
    seconds: null,
    rate: null,
    instances: 1,
    scale: 1,
    consent: false,
    maxRequests: null,
    dryRun: false,
    dashboard: false,
    env: { ...process.env, K6_PATH: k6?.path, K6_ITERATIONS: '1' },
    folder: join(folder, 'run'),
    identity: loadIdentity(
      profile,
      7,
      REQUIREMENTS.map(({ id }) => id),
    ),
    json: false,
    quiet: true,
    colour: false,
    reporters: [],
  };
}
