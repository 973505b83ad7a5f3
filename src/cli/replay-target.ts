import { existsSync } from 'node:fs';
import { profileDigest } from '../profile/digest.ts';
import type { Variables } from '../profile/environment.ts';
import type { Profile } from '../profile/profile.ts';
import { requestsOf, type Sequence } from '../replay/sequence.ts';
import { isFullKey, numberOfKey } from '../trace/exchange.ts';
import type { Trace } from '../trace/trace.ts';
import type { Invocation } from './arguments.ts';
import { recordedTarget, type Target } from './prepare-run.ts';
import { UsageError } from './usage-error.ts';

/**
 * The given profile, else the recorded one. A recording does not contain header values, TLS files and proxies: if the
 * run needs some, they come from the file that certify also reads.
 *
 * @throws UsageError if there is no such file
 */
export async function replayTarget(
  invocation: Invocation,
  variables: Variables,
  { header }: Pick<Trace, 'header'>,
): Promise<Target> {
  const { options, given } = invocation;
  const recorded = header.profile;
  if (!given.has('profile') && !withholds(recorded)) {
    return recordedTarget(recorded, { baseUrl: options.baseUrl, variables });
  }
  if (!given.has('profile') && !existsSync(options.profile)) {
    throw new UsageError(
      `A recording does not contain header values, TLS files and proxies, and there is no ${options.profile} here. Give the profile of the run with --profile.`,
    );
  }
  // Loaded only when needed: somebody who fixes a failure waits for each replay.
  const { targetOf, warn } = await import('./commands/run.ts');
  const target = targetOf(invocation, variables);
  if (!sendsAlike(target.profile, recorded)) {
    warn(
      `${options.profile} is not as it was in the run, so requests may differ. Where it is another, give --profile.`,
    );
  }
  return target;
}

/** Whether a run needs a header value, TLS file or proxy: a recording does not contain them. */
function withholds({ http, operations, probes }: Profile): boolean {
  const templates = [...operations, ...Object.values(probes).flat(), http];
  return (
    templates.some(({ headers }) => Object.keys(headers).length > 0) ||
    [http.tls.caFile, http.tls.certFile, http.tls.keyFile, http.proxy].some((each) => each !== null)
  );
}

/** Whether two profiles describe the same requests, wherever they are sent. */
export function sendsAlike(one: Profile, other: Profile): boolean {
  const { baseUrl, target, waivers, pacing } = other;
  const http = { ...one.http, proxy: other.http.proxy };
  return profileDigest({ ...one, baseUrl, target, waivers, pacing, http }) === profileDigest(other);
}

/** @throws UsageError if the environment lacks a key of the sequence */
export function requireKeys(sequence: Sequence, { keys }: Target): void {
  const aliases = new Set(requestsOf(sequence).map(({ key }) => key));
  const missing = [...aliases].filter((alias) => {
    if (alias === 'restricted' || alias === 'revoked') return keys[alias] === null;
    return isFullKey(alias) && numberOfKey(alias) > keys.full.length;
  });
  if (missing.length === 0) return;
  throw new UsageError(
    `The sequence needs ${missing.join(', ')}, which the environment does not provide. Set SIZE_CHART_KEYS (in the order of the run) and the keys of the other roles.`,
  );
}
