import type { Event, History } from '../../oracle/history.ts';
import { inOrder } from '../world.ts';

/** How many requests had come to a load balancer before this one. */
export type Rank = (event: Event) => number;

/**
 * The orders in which nodes may get requests in turn: each kind by itself, of these also only those that are counted,
 * and both kinds together.
 *
 * @param kinds the histories of each kind
 * @param isCounted whether an answer tells of a count
 */
export function arrivalRanks(
  kinds: readonly (readonly History[])[],
  isCounted: (event: Event) => boolean,
): readonly Rank[] {
  return [rankIn(kinds, () => true), rankIn(kinds, isCounted), rankIn([kinds.flat()], () => true)];
}

/** The rank of a request within its group; 0 for those that are left out. */
function rankIn(groups: readonly (readonly History[])[], which: (event: Event) => boolean): Rank {
  const inTurn = groups.flatMap((histories) =>
    inOrder(histories.flatMap(({ events }) => events.filter(which))).map(({ exchange }, at) => [exchange, at] as const),
  );
  const ranks = new Map(inTurn);
  return ({ exchange }) => ranks.get(exchange) ?? 0;
}
