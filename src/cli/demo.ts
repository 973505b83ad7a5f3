import { randomBytes } from 'node:crypto';
import { systemClock } from '../clock/system-clock.ts';
import { EVERYTHING } from '../plan/plan.ts';
import type { Keys } from '../profile/profile.ts';
import { formatProfileError, readProfile } from '../profile/read-profile.ts';
import { referenceProfile } from '../reference/profile.ts';
import { startReference } from '../reference/server.ts';
import { certify, type RunDisplay } from './certify.ts';
import { prepareRun, type RunRequest } from './prepare-run.ts';
import { UsageError } from './usage-error.ts';

/**
 * Certifies the reference server on loopback, so that a newcomer sees a whole run without having a deployment: what `certify` does, with
 * keys made up for this one server. Gives the exit code.
 */
export async function demo(request: Pick<RunRequest, 'out' | 'seed' | 'scale'>, display: RunDisplay): Promise<number> {
  const keys = madeUpKeys();
  const server = await startReference({ keys, clock: systemClock(request.scale) });
  try {
    const read = readProfile(referenceProfile(server.baseUrl), { file: 'the reference profile' });
    if ('errors' in read) throw new UsageError(read.errors.map(formatProfileError).join('\n'));
    const run = prepareRun(
      { profile: read.profile, keys },
      { ...request, command: 'certify', mode: 'certify', selection: EVERYTHING, nonce: null },
    );
    return await certify(run, display);
  } finally {
    await server.close();
  }
}

function madeUpKeys(): Keys & { readonly full: readonly string[] } {
  const key = (role: string): string => `${role}-${randomBytes(12).toString('hex')}`;
  return { full: [1, 2, 3, 4].map(() => key('full')), restricted: key('restricted'), revoked: key('revoked') };
}
