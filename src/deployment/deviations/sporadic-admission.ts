import type { Kind } from '../../trace/exchange.ts';
import { drawKinds, limitRequirements, type Operator, pick, plural } from '../operator.ts';

/** Requests over the limit that are let through now and then, and not counted. */
export interface SporadicAdmission {
  readonly kinds: readonly Kind[];
  /** One in so many of those over the limit, on average. */
  readonly oneIn: number;
}

/** A limiter that fails open. */
export const sporadicAdmission: Operator<'sporadic-admission', SporadicAdmission> = {
  id: 'sporadic-admission',
  component: 'limit',
  breaks: ({ kinds }) => limitRequirements(kinds),
  mayShow: () => [],
  sentence: ({ kinds, oneIn }) => `About one in ${oneIn} of the ${plural(kinds)} over the limit is let through.`,
  remedy: () =>
    'Usually the limiter lets requests through when its store is late or fails (it fails open). Give it a store that answers in time, or refuse in this case.',
  draw: (random) => ({ kinds: drawKinds(random), oneIn: pick(random, [2, 3, 5, 10]) }),
};
