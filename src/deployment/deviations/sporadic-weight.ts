import type { Kind } from '../../trace/exchange.ts';
import { classesWithin, type RequestClass, requirementOf } from '../attribute.ts';
import { drawKinds, limitRequirements, type Operator, pick, singular } from '../operator.ts';

/** Now and then an accepted request costs something else than 1. */
export interface SporadicWeight {
  readonly kinds: readonly Kind[];
  /** One in so many, on average. */
  readonly oneIn: number;
  /** 0: not counted; 2: counted twice. */
  readonly weight: number;
  /** The requests that are meant; left out: all. */
  readonly of?: RequestClass;
}

/** A count that is forgotten or taken twice, for no reason that a client could see. */
export const sporadicWeight: Operator<'sporadic-weight', SporadicWeight> = {
  id: 'sporadic-weight',
  component: 'weight',
  breaks: ({ kinds, of }) => (of ? [requirementOf(of.attribute)] : limitRequirements(kinds)),
  mayShow: ({ kinds, of }) => (of ? limitRequirements(kinds) : []),
  sentence({ kinds, oneIn, weight, of }) {
    const cost = weight === 0 ? 'not counted' : weight === 2 ? 'counted twice' : `counted ${weight} times`;
    const among = of ? ` among ${classesWithin(of.attribute, of.classes)}` : '';
    return `About one in ${oneIn} accepted ${singular(kinds)}s${among} is ${cost}.`;
  },
  remedy: ({ weight, of }) =>
    of
      ? 'Usually a rule for these requests lets some of them pass by the count: equal ones that are answered from a cache, or a free number of them. Count each request once.'
      : weight === 0
        ? 'Usually the count is written in the background, and some writes fail or are dropped. Let the count be part of the decision.'
        : 'Usually a request is sent to the store again when its answer is late. Make counting idempotent, or do not retry it.',
  // Of all requests: what is drawn of a class alone, a slow network often leaves undecided.
  draw: (random) => ({
    kinds: drawKinds(random),
    oneIn: pick(random, [5, 10, 20, 50, 100]),
    weight: pick(random, [0, 0, 2]),
  }),
};
