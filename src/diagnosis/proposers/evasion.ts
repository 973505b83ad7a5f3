import { ATTRIBUTE_NAMES, type ChangedAttribute } from '../../deployment/attribute.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { changed, type World, withEvents } from '../world.ts';
import { eachApart } from './partition.ts';
import { ATTRIBUTE_BITS } from './scope-bits.ts';

/**
 * Requests with a variation that should make no difference, which use budgets of their own: the fewest variations
 * without which the rest is explained.
 */
export function* proposeEvasions(world: World, { kind, fitter }: SearchContext): Iterable<Proposal> {
  const names = ATTRIBUTE_NAMES.filter((name): name is ChangedAttribute =>
    world.histories.some(({ events }) =>
      events.some(({ outcome, exchange }) => outcome === 'accepted' && exchange.variation === name),
    ),
  );
  if (names.length === 0) return;
  const without = (left: ReadonlySet<string>): World =>
    changed(world, (history) =>
      withEvents(history, (event) => (left.has(event.exchange.variation ?? '') ? null : event)),
    );
  const guilty = new Set<ChangedAttribute>(names);
  if (!fitter.fit(without(guilty))) return;
  for (const name of names) {
    guilty.delete(name);
    if (guilty.size === 0 || !fitter.fit(without(guilty))) guilty.add(name);
  }
  // An internal address in X-Forwarded-For is also another one.
  if (guilty.has('forwarded-for')) guilty.delete('internal-address');
  const left = new Set<string>(guilty.has('forwarded-for') ? [...guilty, 'internal-address'] : guilty);
  yield {
    deviations: [...guilty].map((attribute) => eachApart(kind, attribute)),
    bits: guilty.size * (DEVIATION_BITS + ATTRIBUTE_BITS),
    world: without(left),
  };
}
