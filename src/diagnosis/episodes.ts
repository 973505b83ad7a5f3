import type { Range } from '../oracle/history.ts';
import { type Episode, isLeast, JOB, requestsIn, TICK } from './episode.ts';
import { bitsOfNumber, bitsToChoose } from './proposal.ts';
import type { LengthWithin } from './shown-time.ts';
import { bitsOfSteadyUse } from './steady-use.ts';

/** A time at which others used one or more keys. */
interface Moment {
  readonly within: Range;
  /** One for each key. */
  readonly episodes: readonly Episode[];
  /** Bits to state how many requests of a key came by each answer that shows some of them. */
  readonly split: number;
}

/**
 * The price of use by others in bits: of single episodes, of jobs, or of steady use, whichever takes fewest.
 *
 * @param keys how many keys may have been used
 * @param time in which it may have happened, in µs: the run, and two windows before it
 * @param shown for how long answers of each key show it; left out: all the time
 */
export function bitsOf(
  episodes: readonly Episode[],
  keys: number,
  time: number,
  shown: ReadonlyMap<string, LengthWithin> = new Map(),
): number {
  const ways = [
    bitsOfMoments(momentsOf(episodes, true), keys, time),
    bitsOfMoments(momentsOf(episodes, false), keys, time),
    bitsOfSteadyUse(episodes, keys, time, shown),
  ];
  return Math.min(...ways);
}

/**
 * When it happened, as precisely as the answers show, without an order; and each time which keys were used and by how
 * many requests. What uses several keys does so at once, or within the time of a job.
 */
function bitsOfMoments(moments: readonly Moment[], keys: number, time: number): number {
  return moments.reduce((sum, { within: { low, high }, episodes, split }, at) => {
    const among = (width: number): number => Math.max(0, Math.log2(time / width) - Math.log2(at + 1));
    const width = Math.max(TICK, high - low);
    // All come at one time, which is one of each.
    const atOnce = among(width) + Math.max(...episodes.map((each) => bitsWithin(width, [each])));
    const job = Math.max(JOB, high - low);
    const inTurn = among(job) + bitsWithin(job, episodes);
    const moment = episodes.length === 1 || low <= high ? Math.min(atOnce, inTurn) : inTurn;
    return sum + moment + split + bitsOfUse(episodes, keys);
  }, 0);
}

/** Bits to state when each key was used within a time (µs), if the answers show that more precisely. */
function bitsWithin(time: number, episodes: readonly Episode[]): number {
  return episodes.reduce((sum, { since, until, width = until - since }) => {
    return sum + Math.log2(time / Math.min(time, Math.max(TICK, width)));
  }, 0);
}

/** Bits to state which keys were used at one time and by how many requests: each by itself, or all alike. */
function bitsOfUse(episodes: readonly Episode[], keys: number): number {
  const own = episodes.map((each) => Math.log2(keys) + bitsOfRequests(each));
  const apart = own.reduce((sum, bits) => sum + bits, 0);
  const told = new Set(episodes.filter((each) => !isLeast(each)).map(({ requests }) => requests));
  if (told.size > 1 || !weighsLess(episodes)) return apart;
  const most = Math.max(...episodes.map(bitsOfRequests));
  return Math.min(apart, Math.log2(keys) + bitsToChoose(keys, episodes.length) + most);
}

/** Whether the same use of all may weigh as counters show it: no more, the later they are asked. */
function weighsLess(episodes: readonly Episode[]): boolean {
  const shares = episodes.filter(({ atLeast }) => atLeast).sort((one, other) => one.event.to - other.event.to);
  return shares.every(({ requests }, at) => requests <= (shares[at - 1]?.requests ?? requests));
}

/**
 * Bits to state the number of requests, or the least number. If n takes 2 log₂(1 + n) bits, n or more
 * are as likely as something that takes log₂(1 + n) bits.
 */
function bitsOfRequests(episode: Episode): number {
  const bits = bitsOfNumber(episode.requests);
  return isLeast(episode) ? bits / 2 : bits;
}

/**
 * The smallest number of times at which others used the keys. Use of several keys within the time of a job is one event:
 * these are the fewest points that meet all intervals.
 *
 * @param inParts whether several uses of one key within this time are one as well; otherwise one of each is met at a time
 */
function momentsOf(episodes: readonly Episode[], inParts: boolean): readonly Moment[] {
  let open = [...episodes].sort((one, other) => one.until - other.until);
  const moments: Moment[] = [];
  for (let [first] = open; first; [first] = open) {
    const at = first.until;
    const taken = new Set<string>();
    const met = open.filter(({ since, key }) => {
      if (since > at + JOB || (!inParts && taken.has(key))) return false;
      taken.add(key);
      return true;
    });
    open = open.filter((episode) => !met.includes(episode));
    const ofKeys = [...Map.groupBy(met, ({ key }) => key).values()];
    // It is met at its own answer, even if that came before the end of something earlier was known.
    const firsts = ofKeys.flatMap((own) => own.slice(0, 1));
    const low = Math.max(...firsts.map(({ since }) => since));
    moments.push({ within: { low, high: at }, episodes: ofKeys.flatMap(asOne), split: splitBits(ofKeys) });
  }
  return moments;
}

/** Several uses of one key as one: when the first came, and how many requests there were in all. */
function asOne(own: readonly Episode[]): readonly Episode[] {
  const [first] = own;
  return first ? [{ ...first, requests: requestsIn(own) }] : [];
}

/** Bits to state how many of the requests of each key had come by each answer that shows some of them. */
function splitBits(ofKeys: readonly (readonly Episode[])[]): number {
  return ofKeys.reduce((sum, own) => sum + (own.length - 1) * Math.log2(1 + requestsIn(own)), 0);
}
