/**
 * One case in `every`, evenly over the list, so a table of a hundred costs the quick tests only seconds; all cases if EVERY_CASE is set, as
 * in `npm run soundness`.
 */
export function sampled<Case>(cases: readonly Case[], every: number): readonly Case[] {
  return process.env.EVERY_CASE ? cases : cases.filter((_, index) => index % every === 0);
}
