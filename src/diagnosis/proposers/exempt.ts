import { classOf, type RequestClass } from '../../deployment/attribute.ts';
import type { Deviation } from '../../deployment/operators.ts';
import type { Event, History } from '../../oracle/history.ts';
import type { Kind } from '../../trace/exchange.ts';
import { DEVIATION_BITS, type Proposal } from '../proposal.ts';
import { changed, unclear, type World, withEvents } from '../world.ts';
import { classesOf } from './scope.ts';
import { ATTRIBUTE_BITS } from './scope-bits.ts';

/** Classes of requests that these deviations exempt from a limit, of whichever kind. */
interface Exempt extends RequestClass {
  readonly headers: 'of the others' | 'unused' | 'repeated';
}

function exemptBy(deviations: readonly Deviation[]): readonly Exempt[] {
  return deviations.flatMap(({ operator, parameters }) =>
    operator === 'finer-scope' && parameters.exempt.length > 0
      ? [{ attribute: parameters.attribute, classes: parameters.exempt, headers: parameters.exemptHeaders }]
      : [],
  );
}

/** Requests that are exempt as those of the other kind are, which these deviations explain. */
export function exemptLike(world: World, kind: Kind, others: readonly (readonly Deviation[])[]): readonly Proposal[] {
  return others.flatMap(exemptBy).flatMap(({ attribute, classes, headers }): readonly Proposal[] => {
    const all = classesOf(world, attribute, () => true);
    const own = classes.filter((name) => all.includes(name));
    if (own.length === 0 || own.length === all.length) return [];
    const place = (event: Event): Event | null => {
      if (!own.includes(classOf(attribute, event.exchange))) return event;
      if (event.outcome === 'failed') return unclear(event);
      return event.outcome === 'accepted' && headers === 'of the others' ? { ...event, outcome: 'uncounted' } : null;
    };
    const scope = { attribute, blocks: [], exempt: own, others: 'together', exemptHeaders: headers } as const;
    return [
      {
        deviations: [{ operator: 'finer-scope', parameters: { kinds: [kind], ...scope } }],
        bits: DEVIATION_BITS + ATTRIBUTE_BITS + all.length,
        world: changed(world, (history) => withEvents(history, place)),
      },
    ];
  });
}

/** The budgets of the other kind without the requests that are counted nowhere, as these deviations say. */
export function withoutExempt(deviations: readonly Deviation[], otherKind: readonly History[]): readonly History[] {
  const exempt = exemptBy(deviations);
  if (exempt.length === 0) return otherKind;
  const isExempt = ({ exchange }: Event): boolean =>
    exempt.some(({ attribute, classes }) => classes.includes(classOf(attribute, exchange)));
  return otherKind.map((history) => withEvents(history, (event) => (isExempt(event) ? null : event)));
}
