import { realWall } from '../clock/scaled-time.ts';
import type { InstanceRecords } from './instance-records.ts';

/** An instance's wall clock less the first one's, and the most that this may be wrong by; both in real µs. */
export interface InstanceClock {
  readonly offset: number;
  readonly uncertainty: number;
}

/** What two machines with kept clocks may differ by where the target's answers tell nothing better. */
const UNKNOWN_US = 1_000_000;

/** A second that is cut off, and one for which the value is kept. */
const OLDEST_DATE_US = 2_000_000;

interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * How the instances' clocks stand to the first one's. On one machine they are the same clock, read to a millisecond. On
 * several the target's own clock is the go-between: a `Date` of D, sent at a and answered at b, says that the target is ahead
 * of the instance by at least D − b and less than D + 2 s − a: RFC 9110 §6.6.1 has whole seconds, and servers make the value once a
 * second and send it for as long, so that it may be nearly two old. Many answers close the interval to little more than one. The difference of two instances' intervals is their offset; half its width is what it may be wrong by,
 * and every time of that instance is widened by it, so that a wrong guess can cost precision but not soundness.
 *
 * @returns one entry for each instance, the first one's being 0 ± its reading error
 */
export function clockOffsets(instances: readonly InstanceRecords[], options: { sameHost: boolean }): InstanceClock[] {
  const leads = instances.map(leadOfTarget);
  return instances.map((instance, i) => {
    const reading = Math.max(0, instance.epoch.high - instance.epoch.low);
    if (i === 0) return { offset: 0, uncertainty: instances.length === 1 ? 0 : reading };
    if (options.sameHost) return { offset: 0, uncertainty: reading };
    const [ours, theirs] = [leads[0], leads[i]];
    if (!ours || !theirs) return { offset: 0, uncertainty: UNKNOWN_US };
    const low = ours.low - theirs.high;
    const high = ours.high - theirs.low;
    return { offset: (low + high) / 2, uncertainty: (high - low) / 2 };
  });
}

/** How far the target's clock is ahead of an instance's, in real µs; null where no `Date` tells, or they contradict each other. */
function leadOfTarget(instance: InstanceRecords): Interval | null {
  const { scale } = instance.spec;
  const seconds = new Map<string, number>();
  let low = Number.NEGATIVE_INFINITY;
  let high = Number.POSITIVE_INFINITY;
  const { answers } = instance;
  for (const [i, { date: lines }] of answers.headers.entries()) {
    const [date] = lines;
    if (date === undefined || lines.length !== 1) continue;
    let second = seconds.get(date);
    if (second === undefined) {
      second = Date.parse(date) * 1000;
      seconds.set(date, second);
    }
    if (Number.isNaN(second)) continue;
    low = Math.max(low, realWall(second, scale) - (instance.epoch.low + (answers.answered[i] ?? 0)));
    high = Math.min(high, realWall(second + OLDEST_DATE_US, scale) - (instance.epoch.low + (answers.sent[i] ?? 0)));
  }
  return low <= high && Number.isFinite(low) && Number.isFinite(high) ? { low, high } : null;
}
