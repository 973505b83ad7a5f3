import { type Event, type History, toEvent } from '../../oracle/history.ts';
import type { Shape } from '../../oracle/shapes.ts';
import { anyCounting, groupsOf } from '../fit.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import type { World } from '../world.ts';
import { CHARGED_BITS, UNREAD } from './anonymous.ts';
import { alsoCharged, chargedHere } from './charged.ts';

/** What is known of a way in which a bad key differs from a good one: whether it is charged to that one, or not yet. */
type Known = ReadonlyMap<string, boolean>;

/**
 * Requests with a bad key that are charged to the good key that theirs resembles, as where keys are compared by their beginning. In which ways a
 * key may differ begins undecided (such requests may have been counted); then each is decided that only one of the two explains.
 */
export function* proposeResembling(world: World, { kind, anonymous, fitter }: SearchContext): Iterable<Proposal> {
  const keys = new Set(world.histories.map(({ key }) => key));
  const own = anonymous.filter(
    ({ kind: of, fault, key, answered }) =>
      of === kind && fault === 'bad-key' && key !== null && keys.has(key) && answered !== null,
  );
  const ways = [...new Set(own.map(({ variation }) => variation ?? ''))].sort();
  if (ways.length === 0) return;
  const under = (known: Known): World => {
    const charged = ({ key }: History): readonly Event[] =>
      own.flatMap((each) => {
        const isCharged = known.get(each.variation ?? '');
        return each.key !== key || isCharged === false ? [] : chargedHere(toEvent(each, UNREAD), isCharged === true);
      });
    return { ...world, histories: world.histories.map((history) => alsoCharged(history, charged(history))) };
  };
  const said = (known: Known, bits: number): Proposal => ({
    deviations: [{ operator: 'anonymous-charged', parameters: { which: 'bad key', to: { chosen: 'resembling' } } }],
    bits: DEVIATION_BITS + CHARGED_BITS + bits,
    world: under(known),
  });
  yield said(new Map(ways.map((way) => [way, true])), 0);
  const choice = anyCounting(groupsOf(world.histories));
  const isPossible = (known: Known, shape: Shape): boolean => fitter.under(under(known), shape, choice) !== null;
  // A mechanism that explains most budgets, of those under which it may be so, tells which requests are charged.
  const shape = world.shapes.find((each) => isPossible(new Map(), each));
  if (!shape) return;
  const known = decided(ways, (some) => isPossible(some, shape));
  if (![...known.values()].includes(true)) return;
  // Of each way it is said whether it is charged, and where that differs, of each request.
  const differing = own.filter(({ variation }) => !known.has(variation ?? ''));
  yield said(known, ways.length + differing.length);
}

/**
 * Of each way whether it is charged: where only one of the two is possible, and of the others not, where they need not be. Left out is what may be
 * neither, since it differs by the key.
 */
function decided(ways: readonly string[], isPossible: (known: Known) => boolean): Known {
  const known = new Map<string, boolean>();
  const may = (way: string, value: boolean): boolean => isPossible(new Map(known).set(way, value));
  for (const way of ways) {
    if (!may(way, false)) {
      if (may(way, true)) known.set(way, true);
    } else if (!may(way, true)) known.set(way, false);
  }
  for (const way of ways.filter((each) => !known.has(each))) {
    const value = [false, true].find((each) => may(way, each));
    if (value !== undefined) known.set(way, value);
  }
  return known;
}
