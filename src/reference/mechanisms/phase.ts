import { type PhaseName, SECOND } from '../../deployment/deployment.ts';
import { hashOf } from '../../random/hash.ts';

/**
 * Start of a budget's grid of windows, in µs of the server's clock. Called once for each budget, at its first request.
 */
export type Phase = (budget: string, now: number) => number;

/** The phase with this name. @param started start of the process, in µs of its clock */
export function phaseOf(name: PhaseName, started: number): Phase {
  const phases: Readonly<Record<PhaseName, Phase>> = {
    clock: () => 0,
    process: () => started,
    'key-hash': hashPhase,
    'first-request': (_budget, now) => now,
  };
  return phases[name];
}

/** The last multiple of `length` after `start` that is not later than `now`. */
export function startOnGrid(start: number, length: number, now: number): number {
  return start + Math.floor((now - start) / length) * length;
}

/**
 * Whole seconds computed from the budget's name. Real limiters do this to spread their resets over the minute.
 */
function hashPhase(budget: string): number {
  return (hashOf(budget) % 60) * SECOND;
}
