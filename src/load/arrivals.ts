import { LIMITS } from '../catalogue/limits.ts';
import type { Kind } from '../trace/exchange.ts';
import type { Stage } from './load-spec.ts';
import { SUSTAINED_PER_KEY, SUSTAINED_SHARE } from './scenarios/open.ts';

const WRITES_PER_ROUND = Math.floor(LIMITS.write * SUSTAINED_SHARE);

/**
 * How many requests the stages call for, the first at time 0: k6's extra one at the very end is not counted and not
 * sent.
 */
export function arrivalCount(stages: readonly Stage[]): number {
  let requests = 0;
  for (const { from, to, seconds } of stages) requests += ((from + to) / 2) * (seconds / 60);
  return Math.floor(requests + 1e-9);
}

/**
 * When the i-th request is due, in ms after the start: where the integral of the rate reaches i. Within a stage,
 * `i = r₀t + (r₁ − r₀)t²/2d`; solved by the form of the quadratic formula that is exact for an even rate too.
 */
export function dueAt(stages: readonly Stage[], index: number): number {
  let left = index;
  let elapsed = 0;
  for (const { from, to, seconds } of stages) {
    const minutes = seconds / 60;
    const requests = ((from + to) / 2) * minutes;
    if (left <= requests) {
      const slope = (to - from) / minutes;
      const root = Math.sqrt(Math.max(0, from * from + 2 * slope * left));
      return elapsed + (from + root === 0 ? 0 : ((2 * left) / (from + root)) * 60_000);
    }
    left -= requests;
    elapsed += seconds * 1000;
  }
  return elapsed;
}

/**
 * The kind of the i-th request; all keys get one in turn. Of each key's requests, reads and writes are mixed as evenly
 * as their quotas allow (95 to 28).
 */
export function arrivalKind(index: number, keys: number): Kind {
  const turn = Math.floor(index / keys);
  const writesUpTo = (turns: number): number => Math.floor((turns * WRITES_PER_ROUND) / SUSTAINED_PER_KEY);
  return writesUpTo(turn + 1) > writesUpTo(turn) ? 'write' : 'read';
}
