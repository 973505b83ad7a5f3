import type { InstanceRecords } from './recorded.ts';

/** An instance's wall clock minus the first one's, and the maximum error of this; both in real µs. */
export interface InstanceClock {
  readonly offset: number;
  readonly uncertainty: number;
}

/** How much two machines with synchronised clocks may differ, if the target's answers show nothing better. */
const UNKNOWN_US = 1_000_000;

/**
 * The offsets of the instances' clocks from the first one's. On one machine they are the same clock, read to a
 * millisecond. On several machines, the target's own clock connects them: a `Date` tells how far it is ahead of an
 * instance to within two seconds, since RFC 9110 §6.6.1 has whole seconds, and servers make the value once a second and
 * send it for as long. Many answers narrow the interval to little more than one second. The difference of two
 * instances' intervals is their offset; half its width is the maximum error, and every time of that instance is widened
 * by it, so a wrong guess costs precision but not soundness.
 *
 * @returns one entry for each instance, the first one's being 0 ± its reading error
 */
export function clockOffsets(
  instances: readonly Pick<InstanceRecords, 'epoch' | 'lead'>[],
  options: { sameHost: boolean },
): InstanceClock[] {
  return instances.map(({ epoch, lead: theirs }, i) => {
    const reading = Math.max(0, epoch.high - epoch.low);
    if (i === 0 || options.sameHost) return { offset: 0, uncertainty: instances.length === 1 ? 0 : reading };
    const ours = instances[0]?.lead;
    if (!ours || !isKnown(ours) || !isKnown(theirs)) return { offset: 0, uncertainty: UNKNOWN_US };
    const low = ours.low - theirs.high;
    const high = ours.high - theirs.low;
    return { offset: (low + high) / 2, uncertainty: (high - low) / 2 };
  });
}

/** Whether some `Date` showed it, and none contradicted another. */
function isKnown({ low, high }: InstanceRecords['lead']): boolean {
  return low <= high && Number.isFinite(low) && Number.isFinite(high);
}
