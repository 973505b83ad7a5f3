import { randomInt } from 'node:crypto';

/** A seed for a run without one. It is printed, so that the run can be repeated. */
export function drawSeed(): number {
  return randomInt(2 ** 31);
}
