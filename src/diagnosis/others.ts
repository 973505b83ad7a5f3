import { type History, WINDOW } from '../oracle/history.ts';
import type { Choice, Shape } from '../oracle/shapes.ts';
import type { Work } from '../oracle/work.ts';
import { type Episode, JOB } from './episode.ts';
import { bitsOf } from './episodes.ts';
import { inOneBudget } from './others-of-budget.ts';
import { shownTime } from './shown-time.ts';

/** Requests of others that would explain the run, and where they would lie. */
export interface BackgroundTraffic {
  /** Their total number. */
  readonly requests: number;
  /** Whether they explain everything; false: there would be more of them than the search allows. */
  readonly complete: boolean;
  /** One for each answer that shows missing requests, in order of time. */
  readonly episodes: readonly Episode[];
  /** Its price in bits. */
  readonly bits: number;
}

/** Some requests of others, whether they explain everything or not. */
type Traffic = Omit<BackgroundTraffic, 'complete'>;

/** Whether so much need not be completed, since less explains everything. */
export type Beaten = (traffic: Traffic) => boolean;

/** If one budget needs more episodes than this, they are too many: a rule would explain the run better. */
const MOST_EPISODES = 32;

/**
 * The fewest episodes of use by others under which a mechanism explains the histories, found by adding an episode
 * before the first answer that lacks requests. Null if something other than missing requests contradicts the mechanism.
 *
 * @param choice how failed requests are counted
 */
export function backgroundTraffic(
  histories: readonly History[],
  shape: Shape,
  choice: Choice,
  work: Work,
  isBeaten: Beaten = () => false,
): BackgroundTraffic | null {
  const priced = (episodes: readonly Episode[]): Traffic => ({
    requests: episodes.reduce((sum, each) => sum + each.requests, 0),
    episodes,
    bits: priceOf(episodes, histories),
  });
  let all: readonly Episode[] = [];
  let complete = true;
  for (const history of histories) {
    const before = all;
    const isTooMany = (own: readonly Episode[]): boolean =>
      own.length > MOST_EPISODES || isBeaten(priced([...before, ...own]));
    // What an answer lacks may have come together with what an earlier one lacked, or separately: the cheaper
    // description counts.
    const { grown, apart } = inOneBudget({ history, shape, choice, isTooMany, work });
    const bits = (own: readonly Episode[]): number => priced([...before, ...own]).bits;
    const [found] = [grown, apart]
      .filter((each) => each !== null)
      .toSorted((one, other) => Number(isTooMany(one)) - Number(isTooMany(other)) || bits(one) - bits(other));
    if (!found) return null;
    all = [...before, ...found];
    complete &&= !isTooMany(found);
    if (!complete && isBeaten(priced(all))) break;
  }
  return { ...priced(inTheRun(all, histories)), complete };
}

/** The price in bits of use by others of any of these keys in the run, or before it. */
export function priceOf(episodes: readonly Episode[], histories: readonly History[]): number {
  // What came two windows before an answer is missing from no other (`since` in `episodeBefore`).
  const shown = new Map(histories.map((history) => [history.key, shownTime(history)]));
  return bitsOf(episodes, histories.length, 2 * WINDOW + timeOf(histories), shown);
}

/** Use by others of the budgets of one kind. */
export interface UsedByOthers {
  readonly episodes: readonly Episode[];
  readonly histories: readonly History[];
}

/**
 * Bits saved if others used several kinds at once: one deviation of both is stated once, and so is a job that sends
 * reads and writes.
 */
export function savedAtOnce(kinds: readonly UsedByOthers[]): number {
  const used = kinds.filter(({ episodes }) => episodes.length > 0);
  if (used.length < 2) return 0;
  const apart = used.reduce((sum, { episodes, histories }) => sum + priceOf(episodes, histories), 0);
  // The same key has a budget of each kind.
  const ofKind = <Of extends { readonly key: string }>(all: readonly Of[], at: number): readonly Of[] =>
    all.map((each) => ({ ...each, key: `${at} ${each.key}` }));
  const atOnce = priceOf(
    used.flatMap(({ episodes }, at) => ofKind(episodes, at)),
    used.flatMap(({ histories }, at) => ofKind(histories, at)),
  );
  return Math.max(0, apart - atOnce);
}

/**
 * The episodes, of which one at the least came after the run had begun: that use before the run explains everything is
 * refuted, with more precision (`findConforming`). Which one did, and when, the answers do not tell any better than
 * that a job lasts.
 */
function inTheRun(episodes: readonly Episode[], histories: readonly History[]): readonly Episode[] {
  const begun = new Map(histories.map(({ key, events }) => [key, events[0]?.from ?? Number.NEGATIVE_INFINITY]));
  const within = episodes.map((each) => {
    return { ...each, since: Math.max(each.since, begun.get(each.key) ?? each.since), width: JOB };
  });
  return within.every(({ since }, at) => since !== episodes[at]?.since) ? within : episodes;
}

/** From the first request to the last answer, in µs. */
function timeOf(histories: readonly History[]): number {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const { events } of histories) {
    first = Math.min(first, events[0]?.from ?? first);
    last = Math.max(last, events.at(-1)?.to ?? last);
  }
  return last - first;
}
