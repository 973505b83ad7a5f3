import type { Kind } from '../../trace/exchange.ts';
import { drawKinds, limitRequirements, type Operator, pick, singular } from '../operator.ts';

/** Now and then an accepted request costs something else than 1. */
export interface SporadicWeight {
  readonly kinds: readonly Kind[];
  /** One in so many, on average. */
  readonly oneIn: number;
  /** 0: not counted; 2: counted twice. */
  readonly weight: number;
}

/** A count that is forgotten or taken twice, for no reason that a client could see. */
export const sporadicWeight: Operator<'sporadic-weight', SporadicWeight> = {
  id: 'sporadic-weight',
  component: 'weight',
  breaks: ({ kinds }) => limitRequirements(kinds),
  mayShow: () => [],
  sentence: ({ kinds, oneIn, weight }) =>
    `About one in ${oneIn} accepted ${singular(kinds)}s is ${weight === 0 ? 'not counted' : weight === 2 ? 'counted twice' : `counted ${weight} times`}.`,
  remedy: ({ weight }) =>
    weight === 0
      ? 'Usually the count is written in the background, and some writes fail or are dropped. Let the count be part of the decision.'
      : 'Usually a request is sent to the store again when its answer is late. Make counting idempotent, or do not retry it.',
  draw: (random) => ({
    kinds: drawKinds(random),
    oneIn: pick(random, [5, 10, 20, 50, 100]),
    weight: pick(random, [0, 0, 2]),
  }),
};
