import { isLoopback } from '../profile/loopback.ts';
import type { Profile } from '../profile/profile.ts';
import type { Extent } from './extent.ts';
import { LoadError } from './load-error.ts';
import type { LoadSpec } from './load-spec.ts';

/** Ceilings that no run exceeds unless the user raises them; per second means real seconds. */
export interface Ceilings {
  readonly requests: number;
  readonly perSecond: number;
  readonly seconds: number;
}

const USUAL: Ceilings = { requests: 250_000, perSecond: 2_000, seconds: 3_600 };

/** The ceilings of a run: the defaults, except those that the user or the profile sets explicitly. */
export function ceilingsOf(
  profile: Profile,
  asked: { requests: number | null; rate: number | null; seconds: number | null },
): Ceilings {
  return {
    requests: asked.requests ?? profile.pacing.maxRequests ?? USUAL.requests,
    perSecond: Math.max(USUAL.perSecond, Math.ceil(asked.rate ?? 0)),
    seconds: Math.max(USUAL.seconds, asked.seconds ?? 0),
  };
}

/** Throws a LoadError if a run would exceed a ceiling, or would load another machine without consent. */
export function requireAllowed(spec: LoadSpec, extent: Extent, ceilings: Ceilings, consent: boolean): void {
  const { host } = new URL(spec.baseUrl);
  if (!consent && !isLoopback(spec.baseUrl)) {
    throw new LoadError(
      `${host} is not this machine`,
      "Load it only with its owner's consent: add --i-may-load-this-target to say that you have it.",
    );
  }
  const seconds = extent.seconds / spec.scale;
  const crossed = [
    extent.requests > ceilings.requests &&
      `${extent.requests} requests, but at most ${ceilings.requests} may be sent (--max-requests)`,
    extent.peak > ceilings.perSecond &&
      `${extent.peak} requests in a second, but at most ${ceilings.perSecond} may be sent`,
    seconds > ceilings.seconds && `${Math.ceil(seconds)} s, but it may last at most ${ceilings.seconds} s`,
  ].filter((each) => each !== false);
  if (crossed.length === 0) return;
  throw new LoadError(
    `The run would exceed a ceiling: ${crossed.join('; ')}`,
    'Use fewer keys, a lower --rate or a shorter --duration; or raise the ceiling, if the target can bear it.',
  );
}
