/**
 * One case in `every`, evenly over the list, so that a table of a hundred costs the quick tests seconds; all of them where EVERY_CASE is
 * set, as in `npm run soundness`.
 */
export function sampled<Case>(cases: readonly Case[], every: number): readonly Case[] {
  return process.env.EVERY_CASE ? cases : cases.filter((_, index) => index % every === 0);
}
