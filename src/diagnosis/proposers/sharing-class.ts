import { type Attribute, classOf } from '../../deployment/attribute.ts';
import type { History } from '../../oracle/history.ts';
import { bitsOfNumber, DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { isDecided, merged, type World } from '../world.ts';
import { classesOf, MOST_CLASSES } from './scope.ts';
import { ATTRIBUTE_BITS } from './scope-bits.ts';
import { severalKeys } from './sharing.ts';

/** Attributes by which some requests are limited elsewhere than the others, where the key may not be known. */
const ATTRIBUTES: readonly Attribute[] = ['credential', 'group', 'method', 'operation'];

/** Requests of one class that share a budget whatever their key, while others have one for each key. */
export function* proposeSharedClasses(world: World, { kind }: SearchContext): Iterable<Proposal> {
  const keys = severalKeys(world);
  if (keys.length < 2) return;
  for (const attribute of ATTRIBUTES) {
    const classes = classesOf(world, attribute, isDecided);
    if (classes.length < 2 || classes.length > MOST_CLASSES) continue;
    // Where no answer tells of a budget, nobody has seen that it is shared.
    const telling = classesOf(
      world,
      attribute,
      ({ outcome, remaining }) => outcome === 'refused' || remaining !== null,
    );
    for (const name of classes.filter((each) => telling.includes(each))) {
      const only = { attribute, classes: [name] };
      yield {
        deviations: [{ operator: 'shared-keys', parameters: { kinds: [kind], blocks: [keys], only } }],
        bits: DEVIATION_BITS + ATTRIBUTE_BITS + bitsOfNumber(classes.length),
        world: { ...world, histories: divided(world, attribute, name) },
      };
    }
  }
}

/** One history of all requests of a class, and one for each key of the others. */
function divided({ histories }: World, attribute: Attribute, name: string): readonly History[] {
  const part = (history: History, isMeant: boolean): readonly History[] => {
    const events = history.events.filter(({ exchange }) => (classOf(attribute, exchange) === name) === isMeant);
    return events.length > 0 ? [{ ...history, events }] : [];
  };
  const together = merged(
    histories.flatMap((history) => part(history, true)),
    name,
  );
  return [...(together ? [together] : []), ...histories.flatMap((history) => part(history, false))];
}
