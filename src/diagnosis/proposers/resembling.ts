import { anyCounting, groupsOf } from '../../oracle/failed-groups.ts';
import type { Event, History } from '../../oracle/history.ts';
import { toEvent } from '../../oracle/make-history.ts';
import { UNREADABLE } from '../../oracle/marker.ts';
import type { Shape } from '../../oracle/shapes.ts';
import { bitsToChoose, DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import type { World } from '../world.ts';
import { CHARGED_BITS } from './anonymous.ts';
import { alsoCharged, chargedHere } from './charged.ts';

/**
 * For each way in which a bad key differs from a good one: whether its requests are charged to the good key. Ways not
 * in the map are open.
 */
type Known = ReadonlyMap<string, boolean>;

/**
 * Requests with a bad key that are charged to the good key that it resembles, as if keys were compared by their
 * beginning. At first it is open which ways of differing are charged (their requests may have been counted). Then each
 * is decided if only one of the two is possible.
 */
export function* proposeResembling(world: World, { kind, anonymous, fitter }: SearchContext): Iterable<Proposal> {
  const keys = new Set(world.histories.map(({ key }) => key));
  const own = anonymous.filter(
    ({ kind: of, fault, key, answered }) =>
      of === kind && fault === 'bad-key' && key !== null && keys.has(key) && answered !== null,
  );
  const ways = [...new Set(own.map(({ variation }) => variation ?? ''))].sort();
  if (ways.length === 0) return;
  const charging = (histories: readonly History[], known: Known): readonly History[] => {
    const charged = ({ key }: History): readonly Event[] =>
      own.flatMap((each) => {
        const isCharged = known.get(each.variation ?? '');
        return each.key !== key || isCharged === false
          ? []
          : chargedHere(toEvent(each, UNREADABLE), isCharged === true);
      });
    return histories.map((history) => alsoCharged(history, charged(history)));
  };
  const said = (known: Known, bits: number): Proposal => ({
    deviations: [{ operator: 'anonymous-charged', parameters: { which: 'bad key', to: { chosen: 'resembling' } } }],
    bits: DEVIATION_BITS + CHARGED_BITS + bits,
    world: { ...world, histories: charging(world.histories, known) },
  });
  yield said(new Map(ways.map((way) => [way, true])), 0);
  // The budgets of other keys are the same whatever these keys are charged.
  const theirs = world.histories.filter(({ key }) => own.some((each) => each.key === key));
  const choice = anyCounting(groupsOf(theirs));
  const isPossible = (known: Known, shape: Shape): boolean =>
    fitter.under({ ...world, histories: charging(theirs, known) }, shape, choice) !== null;
  // A mechanism that explains most budgets, among those under which this is possible, decides which requests are
  // charged.
  const shape = world.shapes.find((each) => isPossible(new Map(), each));
  if (!shape) return;
  const known = decided(ways, (some) => isPossible(some, shape));
  if (![...known.values()].includes(true)) return;
  // It is stated how many ways are charged and which; if that varies within a way, it is stated for each request.
  const differing = own.filter(({ variation }) => !known.has(variation ?? ''));
  const charged = [...known.values()].filter((isCharged) => isCharged).length;
  yield said(known, Math.log2(ways.length) + bitsToChoose(ways.length, charged) + differing.length);
}

/**
 * For each way whether it is charged: true if it must be, false if it need not be. Ways for which neither is possible,
 * because they vary by key, are left out. Most ways are not charged, so the search halves them instead of asking for
 * each.
 */
function decided(ways: readonly string[], isPossible: (known: Known) => boolean): Known {
  const known = new Map<string, boolean>();
  const may = (some: readonly string[], value: boolean): boolean =>
    isPossible(new Map([...known, ...some.map((way) => [way, value] as const)]));
  const mustBeCharged = (some: readonly string[]): readonly string[] => {
    if (some.length === 0 || may(some, false)) return [];
    return some.length === 1 ? some : halvesOf(some).flatMap(mustBeCharged);
  };
  const charged = mustBeCharged(ways);
  for (const way of charged) if (may([way], true)) known.set(way, true);
  const decide = (some: readonly string[]): void => {
    const value = may(some, false) ? false : some.length === 1 && may(some, true) ? true : null;
    if (value !== null) for (const way of some) known.set(way, value);
    else if (some.length > 1) for (const half of halvesOf(some)) decide(half);
  };
  decide(ways.filter((way) => !charged.includes(way)));
  return known;
}

function halvesOf<T>(all: readonly T[]): readonly (readonly T[])[] {
  const middle = Math.ceil(all.length / 2);
  return [all.slice(0, middle), all.slice(middle)];
}
