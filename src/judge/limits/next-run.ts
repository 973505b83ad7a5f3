import type { Trace } from '../../trace/trace.ts';
import { FAILURES, UNSHARED } from '../after-failures.ts';

/** Facts of a run on which it depends what to do so that the next one tells more. */
export interface RunFacts {
  /** Whether it was a run of certify, which tries all that there is to try. */
  readonly certified: boolean;
  /** How many full keys it had. */
  readonly keys: number;
  /** Whether something is wrong with how requests are counted, so that nothing is told beside it. */
  readonly broken: boolean;
}

export function factsOf({ header }: Pick<Trace, 'header'>, broken: boolean): RunFacts {
  return { certified: header.command === 'certify', keys: header.keys.full.length, broken };
}

export const MEND = `Fix ${FAILURES} first, and run again.`;

export const ALONE = `Wait two minutes, and run again with ${UNSHARED}.`;

/** What to do if the report names no deviation. */
export const UNNAMED =
  'Usually several things are wrong with how requests are counted, and none of them alone explains the answers. If something else fails, fix that first. Follow the requests of the proof through the limiter, fix what you find, and run again: with fewer faults, the report can name more.';

/**
 * What to do so that something is tested that was not: nothing that this run has done already.
 *
 * @param how what a run of certify does for it, such as `which sends bursts`
 * @param keys how many full keys it takes
 */
export function toTest({ certified, keys: given, broken }: RunFacts, how: string, keys = 1): string {
  const before = broken ? `Fix ${FAILURES} first, and then run` : 'Run';
  if (given < keys) return `${before} certify with at least two keys.`;
  if (!certified) return `${before} certify, ${how}.`;
  return broken ? MEND : ALONE;
}
