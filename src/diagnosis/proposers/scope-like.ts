import { classOf } from '../../deployment/attribute.ts';
import type { Deviation } from '../../deployment/operators.ts';
import type { Event, History } from '../../oracle/history.ts';
import type { Kind } from '../../trace/exchange.ts';
import { DEVIATION_BITS, type Proposal } from '../proposal.ts';
import { unclear, type World } from '../world.ts';
import { apart, classesOf } from './scope.ts';
import { divisionBits } from './scope-bits.ts';

/** Budgets that are divided by classes of requests as those of the other kind are, which these deviations explain. */
export function scopeLike(world: World, kind: Kind, others: readonly (readonly Deviation[])[]): readonly Proposal[] {
  return others.flat().flatMap(({ operator, parameters }): readonly Proposal[] => {
    if (operator !== 'finer-scope' || parameters.exempt.length > 0) return [];
    const { attribute, blocks } = parameters;
    if (blocks.length === 0) return [apart(world, { kind }, [attribute])];
    const classes = classesOf(world, attribute, () => true);
    const own = blocks.filter((block) => block.some((name) => classes.includes(name)));
    if (own.length < 2) return [];
    const isOpen = ({ exchange }: Event): boolean => !own.some((block) => block.includes(classOf(attribute, exchange)));
    const partOf = (history: History, block: readonly string[]): readonly History[] => {
      const isOwn = ({ exchange }: Event): boolean => block.includes(classOf(attribute, exchange));
      if (!history.events.some(isOwn)) return [];
      // What is of another class may have been counted with these.
      const events = history.events.flatMap((event) => (isOwn(event) ? event : isOpen(event) ? unclear(event) : []));
      return [{ ...history, key: `${history.key} ${block.join(' ')}`, events }];
    };
    return [
      {
        deviations: [{ operator: 'finer-scope', parameters: { ...parameters, kinds: [kind] } }],
        bits: DEVIATION_BITS + divisionBits(classes.length, own.length),
        world: { ...world, histories: world.histories.flatMap((each) => own.flatMap((block) => partOf(each, block))) },
      },
    ];
  });
}
