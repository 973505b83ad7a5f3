import type { Event, Range } from '../oracle/history.ts';
import { bitsOfNumber, bitsToChoose } from './proposal.ts';

/** Requests of somebody else that came to one budget together. */
export interface Episode {
  readonly key: string;
  /** The answer that shows it, and how many requests it lacks. */
  readonly event: Event;
  readonly requests: number;
  /** The earliest that they can have come (µs of the run's clock). */
  readonly since: number;
}

/** A time at which others used one key or several. */
interface Moment {
  readonly within: Range;
  readonly episodes: readonly Episode[];
}

/** No moment is said more closely than clocks tell it, in µs. */
const TICK = 1_000;

/** So long use of several keys may take that is one event, such as a job that runs, in µs. */
const JOB = 1_000_000;

/**
 * What use by others costs to say, in bits: when it was, as closely as the answers tell it, in no order; and each time which keys were used
 * and by how many requests.
 *
 * @param keys how many may have been used
 * @param time in which it may have been, in µs: the run, and a window before it
 */
export function bitsOf(episodes: readonly Episode[], keys: number, time: number): number {
  return momentsOf(episodes).reduce((sum, { within: { low, high }, episodes }, at) => {
    const width = Math.max(episodes.length > 1 ? JOB : TICK, high - low);
    return sum + Math.max(0, Math.log2(time / width) - Math.log2(at + 1)) + bitsOfUse(episodes, keys);
  }, 0);
}

/** Bits to say which keys were used at one time and by how many requests: each by itself, or all alike. */
function bitsOfUse(episodes: readonly Episode[], keys: number): number {
  const own = episodes.map((each) => Math.log2(keys) + bitsOfRequests(each));
  const apart = own.reduce((sum, bits) => sum + bits, 0);
  const told = new Set(episodes.filter(({ event }) => event.outcome !== 'refused').map(({ requests }) => requests));
  if (told.size > 1) return apart;
  const most = Math.max(...episodes.map(bitsOfRequests));
  return Math.min(apart, Math.log2(keys) + bitsToChoose(keys, episodes.length) + most);
}

/**
 * Bits to say by how many requests. Of a number a refusal tells only the least that it can be: where n takes 2 log₂(1 + n) bits, n or more are as
 * likely as what takes log₂(1 + n).
 */
function bitsOfRequests({ event, requests }: Episode): number {
  return event.outcome === 'refused' ? bitsOfNumber(requests) / 2 : bitsOfNumber(requests);
}

/**
 * Within which times there was use by others at the least: use of several keys at once is one event (the fewest points that meet all
 * intervals, of each key one at a time).
 */
function momentsOf(episodes: readonly Episode[]): readonly Moment[] {
  let open = [...episodes].sort((one, other) => one.event.to - other.event.to);
  const moments: Moment[] = [];
  for (let [first] = open; first; [first] = open) {
    const at = first.event.to;
    // It is met at its own answer, though that may have come before what is known to have ended.
    const met = new Map([[first.key, first]]);
    for (const episode of open) {
      if (episode.since <= at + JOB && !met.has(episode.key)) met.set(episode.key, episode);
    }
    open = open.filter((episode) => met.get(episode.key) !== episode);
    const low = Math.max(...[...met.values()].map(({ since }) => since));
    moments.push({ within: { low, high: at }, episodes: [...met.values()] });
  }
  return moments;
}
