import { join, resolve } from 'node:path';
import { catalogueDigest } from '../catalogue/catalogue.ts';
import type { RequirementId } from '../catalogue/requirement.ts';
import { codeOf } from '../caught.ts';
import { isNonce, seedOf } from '../certificate/nonce.ts';
import { drawSeed } from '../drive/draw-seed.ts';
import type { RunOptions } from '../drive/run.ts';
import { isPlaceholder } from '../init/propose/placeholder.ts';
import { makePlan } from '../plan/plan.ts';
import type { Mode } from '../plan/tracks.ts';
import { profileDigest, publicProfile } from '../profile/digest.ts';
import { environmentOf, type Variables } from '../profile/environment.ts';
import { environmentProxy } from '../profile/environment-proxy.ts';
import { loadProfile } from '../profile/load-profile.ts';
import type { Keys, Profile, Waiver } from '../profile/profile.ts';
import { formatProfileError, type ProfileError, type ReadOptions } from '../profile/read-profile.ts';
import { loadWaivers, type ReadWaiversOptions } from '../profile/read-waivers.ts';
import type { Ended } from '../profile/rules/waivers.ts';
import { seededRandom } from '../random/random.ts';
import { MADE_UP_KEY, MADE_UP_SHOWN, madeUpKey } from '../random/seeded-schedule.ts';
import { inTheWay, makeFolder } from '../run-folder/output-folder.ts';
import { TRACE_FORMAT } from '../trace/trace.ts';
import { suiteIdentity } from './suite-identity.ts';
import { UsageError } from './usage-error.ts';

const TRACE_FILE = 'trace.ndjson';

/** What is tested, and with which keys. */
export interface Target {
  readonly profile: Profile;
  readonly keys: Keys;
}

/** Where the target's description comes from, as the command line says. */
export interface TargetSource {
  readonly profileFile: string;
  /** In place of that of the environment and the profile. */
  readonly baseUrl?: string | null;
  /** File of waivers in addition to those of the profile. */
  readonly waiversFile?: string | null;
  readonly variables: Variables;
  /** In place of that of the profile. */
  readonly maxRequests?: number | null;
  /** What a waiver that has ended is; left out: a warning, because a run goes on without it. */
  readonly endedWaiver?: Ended['severity'];
}

/**
 * Reads profile and keys. Warnings go to `warn`.
 *
 * @throws UsageError with every problem found
 */
export function loadTarget(source: TargetSource, warn: (text: string) => void): Target {
  for (const text of source.variables.warnings ?? []) warn(text);
  const environment = environmentOf(source.variables);
  if ('errors' in environment) throw new UsageError(environment.errors.join('\n'));
  const { keys, baseUrl } = environment.environment;
  const ended = { before: new Date().toISOString().slice(0, 10), severity: source.endedWaiver ?? 'warning' };
  const profile = readTargetProfile(source.profileFile, { baseUrl: source.baseUrl ?? baseUrl, keys, ended }, warn);
  if (isPlaceholder(profile.baseUrl)) warn(placeholderText(profile.baseUrl, source.profileFile));
  requireKey(keys);
  const { maxRequests } = source;
  const proxy = profile.http.proxy ?? environmentProxy(profile.baseUrl, process.env);
  const waivers = [
    ...profile.waivers,
    ...furtherWaivers(source.waiversFile ?? null, { others: profile.waivers, keys, ended }, warn),
  ];
  return {
    keys,
    profile: {
      ...profile,
      waivers,
      http: { ...profile.http, proxy },
      pacing: { ...profile.pacing, maxRequests: maxRequests ?? profile.pacing.maxRequests },
    },
  };
}

/**
 * The target of a recorded run that withholds nothing, with the keys of today.
 *
 * @throws UsageError if there is no key
 */
export function recordedTarget(
  recorded: Profile,
  { baseUrl, variables }: Pick<TargetSource, 'baseUrl' | 'variables'>,
): Target {
  const environment = environmentOf(variables);
  if ('errors' in environment) throw new UsageError(environment.errors.join('\n'));
  const { keys, baseUrl: ofEnvironment } = environment.environment;
  requireKey(keys);
  const { http } = recorded;
  const profile = { ...recorded, baseUrl: baseUrl ?? ofEnvironment ?? recorded.baseUrl };
  return { keys, profile: { ...profile, http: { ...http, proxy: environmentProxy(profile.baseUrl, process.env) } } };
}

function placeholderText(baseUrl: string, file: string): string {
  return `the base URL is still the placeholder ${baseUrl}. Write that of the deployment into the field base_url of ${file}, or give --base-url or SIZE_CHART_BASE_URL.`;
}

/** @throws UsageError where there is no full key */
function requireKey({ full }: Keys): void {
  if (full.length > 0) return;
  throw new UsageError(
    'No API key is given. Set SIZE_CHART_KEYS to one or more keys with full permissions, separated by commas (four are best), in the environment or in a .env file.',
  );
}

/** @throws UsageError with every problem of the file of waivers */
function furtherWaivers(
  file: string | null,
  options: Omit<ReadWaiversOptions, 'file'>,
  warn: (text: string) => void,
): readonly Waiver[] {
  if (file === null) return [];
  return accepted(loadWaivers(file, options), warn).waivers;
}

/** @throws UsageError with every problem of the profile */
export function readTargetProfile(
  file: string,
  overrides: Omit<ReadOptions, 'file'>,
  warn: (text: string) => void,
): Profile {
  return accepted(loadProfile(file, overrides), warn).profile;
}

/** What was read, if it has no mistakes. @throws UsageError with all of them */
export function accepted<Read extends { readonly warnings: readonly ProfileError[] }>(
  result: Read | { readonly errors: readonly ProfileError[] },
  warn: (text: string) => void = () => {},
): Read {
  if ('errors' in result) throw new UsageError(result.errors.map(formatProfileError).join('\n'));
  for (const warning of result.warnings) warn(formatProfileError(warning));
  return result;
}

/** The settings of a run from the command line. */
export interface RunRequest {
  readonly command: string;
  readonly mode: Mode;
  readonly selection: ReadonlySet<RequirementId>;
  /** Folder of the run; null, or left out: a new one below `reports`. */
  readonly out?: string | null;
  /** Null, or left out: that of the nonce, or else one at random. */
  readonly seed?: number | null;
  /** Left out: 1. */
  readonly scale?: number;
  readonly nonce?: string | null;
}

/** Decides everything that a run needs, and sends nothing. @throws UsageError if both a seed and a nonce are given */
export function prepareRun({ profile, keys }: Target, request: RunRequest): RunOptions {
  const { command, mode, selection, out, seed: given = null, scale = 1, nonce = null } = request;
  if (nonce !== null && given !== null) {
    throw new UsageError('--nonce determines the seed, so it cannot be combined with --seed: leave --seed out.');
  }
  if (nonce !== null && !isNonce(nonce)) {
    throw new UsageError(
      '--nonce: use at most 128 characters, only letters, digits and . _ ~ : -, because the nonce is sent in a header.',
    );
  }
  const suite = suiteIdentity();
  const seed = given ?? (nonce === null ? drawSeed() : seedOf(nonce));
  const roles = {
    full: keys.full.map((_, index) => `key-${index + 1}`),
    restricted: keys.restricted !== null,
    revoked: keys.revoked !== null,
  };
  const plan = makePlan({ profile, keys: roles, selection, mode });
  return {
    profile,
    keys,
    plan,
    traceFile: join(resolve(out ?? join('reports', folderName(command))), TRACE_FILE),
    userAgent: `${suite.name}/${suite.version} (conformance test${nonce === null ? '' : `; nonce ${nonce}`})`,
    header: {
      type: 'header',
      format: TRACE_FORMAT,
      suite,
      command,
      baseUrl: profile.baseUrl,
      profile: publicProfile(profile),
      profileDigest: profileDigest(profile),
      catalogueDigest: catalogueDigest(),
      keys: roles,
      selection: [...selection],
      experiments: plan.experiments,
      scale,
      seed,
      madeUpKey: madeUpKey(MADE_UP_SHOWN, seededRandom(seed, MADE_UP_KEY)),
      nonce,
      runtime: { node: process.versions.node, platform: `${process.platform}-${process.arch}` },
    },
  };
}

/** @throws UsageError if the folder cannot be created, or contains a run or another file that a run would overwrite */
export function makeRunFolder(folder: string): void {
  try {
    makeFolder(folder);
    const held = inTheWay(folder);
    if (held === null) return;
    throw new UsageError(
      `The folder ${folder} already contains ${held}, and a run never overwrites. Choose another with --out.`,
    );
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const code = codeOf(error) ?? 'unknown';
    throw new UsageError(`The folder ${folder} cannot be created (${code}). Choose another with --out.`);
  }
}

/** A folder name that sorts by time and names the command: `2026-11-21T05-27-00Z-certify`. */
export function folderName(command: string): string {
  return `${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}Z-${command}`;
}
