import { LIMITS } from '../../catalogue/limits.ts';
import type { ArrivalPacing, LoadSpec } from '../load-spec.ts';

/** The share of the quota at which a key is kept: two more requests in a window would still be within it. */
export const SUSTAINED_SHARE = 0.95;

/** Requests of both kinds that a key sends in a minute when it is held just under its quota: 95 reads and 28 writes. */
export const SUSTAINED_PER_KEY = Math.floor(LIMITS.read * SUSTAINED_SHARE) + Math.floor(LIMITS.write * SUSTAINED_SHARE);

function perMinute(spec: LoadSpec): number {
  return Math.min(SUSTAINED_PER_KEY * spec.keys, Math.floor(spec.rate * 60));
}

/**
 * Every key at 95 % of its quota, at even intervals: no refusal may appear. The same shape for minutes or for a night.
 */
export const sustained: ArrivalPacing = {
  pacing: 'arrivals',
  stages: (spec) => [{ from: perMinute(spec), to: perMinute(spec), seconds: spec.seconds }],
};

/**
 * From a tenth of the user's rate up to it, even past the quotas: the knee is the rate at which latency begins to rise.
 */
export const ramp: ArrivalPacing = {
  pacing: 'arrivals',
  stages: (spec) => [{ from: Math.ceil(spec.rate * 6), to: Math.ceil(spec.rate * 60), seconds: spec.seconds }],
};
