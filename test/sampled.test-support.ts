import { test } from 'vitest';

/**
 * A test of which the quick tests have a cheaper neighbour: it runs if EVERY_CASE is set, as in `npm run soundness`.
 */
export const thorough = test.runIf(process.env.EVERY_CASE);

/**
 * One case in `every`, evenly over the list, so a table of a hundred costs the quick tests only seconds; all cases if
 * EVERY_CASE is set, as in `npm run soundness`.
 */
export function sampled<Case>(cases: readonly Case[], every: number): readonly Case[] {
  return process.env.EVERY_CASE ? cases : cases.filter((_, index) => index % every === 0);
}

/**
 * How often a property is tried of `times`: one time in five in the quick tests, as often as that if EVERY_CASE is set,
 * as in `npm run soundness`.
 */
export function tried(times: number): number {
  return process.env.EVERY_CASE ? times : Math.ceil(times / 5);
}
