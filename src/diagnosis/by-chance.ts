import { boundOf } from '../deployment/deviations/remaining-header.ts';
import type { Deviation } from '../deployment/operators.ts';
import type { History } from '../oracle/history.ts';

/**
 * Bits of what would be a coincidence under use by others, and follows from these deviations: that Remaining is always
 * a multiple of a number or stays at a bound, or that something comes back at the rate of a bucket.
 */
export function bitsByChance(histories: readonly History[], deviations: readonly Deviation[]): number {
  return [multiplesBits, refillBits, boundBits].reduce((sum, bits) => sum + bits(histories, deviations), 0);
}

/** Whether such a coincidence may say more for it than any description length says against it. */
export function isHardlyByChance(deviation: Deviation): boolean {
  return divisorOf(deviation) !== null || boundTold(deviation) !== null || isBucket(deviation);
}

/** Whether it is a bucket in place of a window. */
export function isBucket({ operator }: Deviation): boolean {
  return operator === 'other-mechanism';
}

/**
 * Bits of the coincidence that Remaining is always a multiple of some number: under use by others, one value in so many
 * is a multiple by chance. A Remaining of 0 proves nothing, because it stays 0 however much others use.
 */
function multiplesBits(histories: readonly History[], deviations: readonly Deviation[]): number {
  const divisors = deviations.flatMap((each) => divisorOf(each) ?? []);
  const values = histories.map(
    ({ events }) => new Set(events.flatMap(({ remaining }) => (remaining && remaining > 0 ? [remaining] : []))).size,
  );
  return divisors.reduce((sum, divisor) => sum + Math.log2(divisor), 0) * values.reduce((sum, each) => sum + each, 0);
}

/**
 * Bits of the coincidence that something comes back at the rate of a bucket. Under use by others, only the share of a
 * sliding counter comes back so gradually, and at this rate only if just the limit was counted in the window before.
 */
function refillBits([first]: readonly History[], deviations: readonly Deviation[]): number {
  return first && deviations.some(isBucket) ? Math.log2(first.limit) : 0;
}

/**
 * Bits of the coincidence that Remaining stays at the number below or above which it never is: under use by others,
 * each request lowers it, unless just as much comes back, which is less likely than not.
 */
function boundBits(histories: readonly History[], deviations: readonly Deviation[]): number {
  const bounds = deviations.flatMap((each) => boundTold(each) ?? []);
  if (bounds.length === 0) return 0;
  const stays = histories.map(({ events }) => {
    const told = events.filter(({ outcome, remaining }) => outcome === 'accepted' && remaining !== null);
    return told.filter(
      ({ remaining }, at) => remaining === told[at - 1]?.remaining && bounds.includes(remaining ?? -1),
    );
  });
  return stays.reduce((sum, { length }) => sum + length, 0);
}

/** The number of which Remaining is always a multiple; null if it is none. */
function divisorOf({ operator, parameters }: Deviation): number | null {
  const { change, only } = operator === 'remaining-header' ? parameters : {};
  return typeof change === 'object' && 'roundedDownTo' in change && only === 'all' ? change.roundedDownTo : null;
}

/** The number below or above which Remaining never is; null if there is none. */
function boundTold({ operator, parameters }: Deviation): number | null {
  return operator === 'remaining-header' ? boundOf(parameters.change) : null;
}
