import { isLoopback } from '../profile/loopback.ts';
import type { Profile } from '../profile/profile.ts';
import type { Extent } from './extent.ts';
import { LoadError } from './load-error.ts';
import type { LoadSpec } from './load-spec.ts';

/** Ceilings that no run exceeds unless the user or the profile raises them; per second means real seconds. */
const USUAL = { requests: 250_000, perSecond: 2_000, seconds: 3_600 };

/** What the user asks for explicitly. */
interface Asked {
  readonly requests: number | null;
  readonly rate: number | null;
  readonly seconds: number | null;
  /** To load a target on another machine. */
  readonly consent: boolean;
}

/** Throws a LoadError if a run would exceed a ceiling, or would load another machine without consent. */
export function requireAllowed(spec: LoadSpec, extent: Extent, profile: Profile, asked: Asked): void {
  const { host } = new URL(spec.baseUrl);
  if (!asked.consent && !isLoopback(spec.baseUrl)) {
    throw new LoadError(
      `${host} is not this machine`,
      "Load it only with its owner's consent: add --i-may-load-this-target to say that you have it.",
    );
  }
  const seconds = extent.seconds / spec.scale;
  const most = {
    requests: asked.requests ?? profile.pacing.maxRequests ?? USUAL.requests,
    perSecond: Math.max(USUAL.perSecond, Math.ceil(asked.rate ?? 0)),
    seconds: Math.max(USUAL.seconds, asked.seconds ?? 0),
  };
  const crossed = [
    extent.requests > most.requests &&
      `${extent.requests} requests, but at most ${most.requests} may be sent (--max-requests)`,
    extent.peak > most.perSecond && `${extent.peak} requests in a second, but at most ${most.perSecond} may be sent`,
    seconds > most.seconds && `${Math.ceil(seconds)} s, but it may last at most ${most.seconds} s`,
  ].filter((each) => each !== false);
  if (crossed.length === 0) return;
  throw new LoadError(
    `The run would exceed a ceiling: ${crossed.join('; ')}`,
    'Use fewer keys, a lower --rate or a shorter --duration; or raise the ceiling, if the target can bear it.',
  );
}
