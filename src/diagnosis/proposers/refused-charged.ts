import type { Event, History } from '../../oracle/history.ts';
import { toEvent } from '../../oracle/make-history.ts';
import { UNREADABLE } from '../../oracle/marker.ts';
import type { Exchange } from '../../trace/exchange.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import type { World } from '../world.ts';
import { bitsToAttribute, CHARGED_BITS, lastKeys } from './anonymous.ts';
import { alsoCharged, chargedHere } from './charged.ts';

/** So many comparisons of refusals with other requests are made at the most: as many as a proposer may make. */
const MOST_COMPARED = 1_200_000;

/** Fewer that were charged for certain may be use by others: what may be charged or not explains it as well. */
const FEWEST_CHARGED = 5;

/** Refused requests that are charged to the key that was used last before, if it is another one. */
export function* proposeRefusedCharged(world: World, { otherKind }: SearchContext): Iterable<Proposal> {
  const { histories } = world;
  if (histories.length < 2) return;
  const all = [...histories, ...otherKind].flatMap(({ events }) => events);
  const refused = histories.flatMap(({ events }) =>
    events.flatMap(({ outcome, exchange }) => (outcome === 'refused' ? [exchange] : [])),
  );
  if (refused.length === 0 || refused.length * all.length > MOST_COMPARED) return;
  const keys = [...new Set(refused.map(({ key }) => key))];
  const besides = new Map(keys.map((key) => [key, all.filter(({ exchange }) => exchange.key !== key)]));
  const payers = new Map(refused.map((each) => [each, lastKeys(besides.get(each.key) ?? [], each)]));
  const payersOf = (each: Exchange): readonly string[] => payers.get(each) ?? [];
  const charged = (history: History): readonly Event[] =>
    refused.flatMap((each) => {
      const isOnly = payersOf(each).length === 1 && isOpenAt(history, each);
      return payersOf(each).includes(history.key) ? [chargedHere(toEvent(each, UNREADABLE), isOnly)] : [];
    });
  const worlds = histories.map((history) => alsoCharged(history, charged(history)));
  const certain = worlds.flatMap(({ events }) => events.filter(({ outcome }) => outcome === 'foreign'));
  if (certain.length < FEWEST_CHARGED) return;
  yield {
    deviations: [{ operator: 'anonymous-charged', parameters: { which: 'refused', to: { chosen: 'last used' } } }],
    bits: DEVIATION_BITS + CHARGED_BITS + bitsToAttribute(refused, payers),
    world: { ...world, histories: worlds },
  };
}

/** Whether a window of a budget was certainly open, as its marker says: what comes when none is open may be lost. */
function isOpenAt({ events, offset }: History, { sent, answered }: Exchange): boolean {
  const last = events.findLast(({ to, reset, outcome }) => to < sent && reset !== null && outcome === 'accepted');
  return last?.reset != null && (answered ?? sent) + offset.high < last.reset;
}
