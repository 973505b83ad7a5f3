import { listed } from '../../deployment/operator.ts';
import type { Trace } from '../../trace/trace.ts';
import { FAILURES, UNSHARED } from '../after-failures.ts';

/** Facts about a run on which the advice for the next run depends. */
export interface RunFacts {
  /** Whether it was a run of certify, which tries everything. */
  readonly certified: boolean;
  /** Whether it was to spend budgets: what a quick look finds spent shows nothing of how they are counted. */
  readonly spends: boolean;
  /** The number of full keys. */
  readonly keys: number;
  /** Whether the counting of requests is broken, so that nothing else can be judged beside it. */
  readonly broken: boolean;
}

export function factsOf({ header }: Pick<Trace, 'header'>, broken: boolean): RunFacts {
  const { command, keys } = header;
  return { certified: command === 'certify', spends: command !== 'check', keys: keys.full.length, broken };
}

export const MEND = `Fix ${FAILURES} first, and run again.`;

/**
 * Why something is left open that failures hide: the same words for each requirement. @param part the reads or the
 * writes; null: both
 */
export function notBeside(causes: readonly string[] = [FAILURES], part: string | null = null): string {
  return `This cannot be judged${part === null ? '' : ` of ${part}`} because of ${listed(causes)}.`;
}

export const ALONE = `Wait two minutes, and run again with ${UNSHARED}.`;

/** What is wrong if others seem to use the keys, and nobody does. */
export const NOBODYS =
  'If nobody else used these keys, the limit is lower, or the deployment counts what it should not: requests of other keys or kinds, of no key or without permission, some twice, or some of a window that has ended.';

/** What to do if the report names no deviation. */
export const UNNAMED =
  'Usually a mistake that this suite does not know by name, or several at once that change how requests are counted. If something else fails, fix that first. Follow the requests of the proof through the limiter, fix what you find, and run again: with fewer faults, the report can name more.';

/**
 * What to do so that something is tested in the next run. It never advises what this run has done.
 *
 * @param how what a run of certify does for it, such as `which sends bursts`
 * @param keys how many full keys it needs
 */
export function toTest({ certified, keys: given, broken }: RunFacts, how: string, keys = 1): string {
  const before = broken ? `Fix ${FAILURES} first, and then run` : 'Run';
  if (given < keys) return `${before} certify with at least two keys.`;
  if (!certified) return `${before} certify, ${how}.`;
  return broken ? MEND : ALONE;
}

/**
 * Whether this run has done what shows something, and a failure hides what it showed. @param keys how many full keys it
 * needs
 */
export function isHidden({ certified, keys: given, broken }: RunFacts, keys = 1): boolean {
  return broken && certified && given >= keys;
}
