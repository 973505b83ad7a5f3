import { join } from 'node:path';
import { systemClock } from '../clock/system-clock.ts';
import { LoadError } from '../load/load-error.ts';
import { EVERYTHING } from '../plan/plan.ts';
import { readProfile } from '../profile/read-profile.ts';
import { referenceProfile } from '../reference/profile.ts';
import { startReference } from '../reference/server.ts';
import { throwAwayKeys } from '../reference/throw-away-keys.ts';
import { certify, type RunDisplay } from './certify.ts';
import { loadIdentity } from './load-identity.ts';
import { loadCommand } from './load-run.ts';
import { accepted, folderName, prepareRun, type RunRequest, type Target } from './prepare-run.ts';

type DemoRequest = Required<Pick<RunRequest, 'out' | 'seed' | 'scale'>>;

/**
 * Certifies the reference server on loopback and then loads it for some seconds, so a newcomer sees both without a
 * deployment. It does what `certify` and `load` do, with keys generated for this server. Returns the worse of the two
 * exit codes.
 */
export async function demo(request: DemoRequest, display: RunDisplay): Promise<number> {
  const target = { keys: throwAwayKeys() };
  // Of a key whose window the first part has used, the load would not show the whole limit.
  const loaded = { ...target.keys, full: throwAwayKeys().full };
  const full = [...target.keys.full, ...loaded.full];
  const server = await startReference({ keys: { ...target.keys, full }, clock: systemClock(request.scale) });
  try {
    const { profile } = accepted(readProfile(referenceProfile(server.baseUrl), { file: 'the reference profile' }));
    const run = prepareRun(
      { ...target, profile },
      { ...request, command: 'certify', mode: 'certify', selection: EVERYTHING },
    );
    const certified = await certify(run, display);
    // After Ctrl-C nobody wants the next part.
    if (certified === 3 || display.dryRun || display.json) return certified;
    return Math.max(certified, await load({ keys: loaded, profile }, request, run.header.seed, display));
  } finally {
    await server.close();
  }
}

/** Without k6, and without Go to build it, the demo still shows the suite: it says so and does not fail. */
async function load(
  { profile, keys }: Target,
  request: DemoRequest,
  seed: number,
  display: RunDisplay,
): Promise<number> {
  if (!display.quiet) process.stdout.write('\nNow k6 sends load:\n\n');
  try {
    return await loadCommand({
      ...display,
      profile,
      source: null,
      keys,
      scenario: 'demo',
      seconds: null,
      rate: null,
      maxRequests: null,
      instances: 1,
      scale: request.scale,
      consent: false,
      dashboard: false,
      folder: join(request.out ?? 'reports', request.out === null ? folderName('load') : 'load'),
      identity: loadIdentity(profile, seed, [...EVERYTHING]),
      env: process.env,
    });
  } catch (error) {
    if (!(error instanceof LoadError)) throw error;
    process.stderr.write(`The load run was skipped. ${error.message}\n`);
    return 0;
  }
}
