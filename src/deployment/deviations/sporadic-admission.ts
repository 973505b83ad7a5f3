import type { Kind } from '../../trace/exchange.ts';
import { drawKinds, limitRequirements, type Operator, pick, plural } from '../operator.ts';

/** Requests that are let through now and then, although the limiter did not admit them. They are not counted. */
export interface SporadicAdmission {
  readonly kinds: readonly Kind[];
  /** One in so many of those meant, on average. */
  readonly oneIn: number;
  /** `over the limit`: refused ones; `any`: all, and their answers have the headers of an unused budget. */
  readonly which: 'over the limit' | 'any';
}

/** A limiter that fails open. */
export const sporadicAdmission: Operator<'sporadic-admission', SporadicAdmission> = {
  id: 'sporadic-admission',
  component: 'limit',
  breaks: ({ kinds, which }) => [...limitRequirements(kinds), ...(which === 'any' ? (['HDR-4'] as const) : [])],
  mayShow: () => [],
  sentence: ({ kinds, oneIn, which }) =>
    which === 'any'
      ? `About one in ${oneIn} of the ${plural(kinds)} is let through unchecked, with the headers of an unused budget.`
      : `About one in ${oneIn} of the ${plural(kinds)} over the limit is let through.`,
  remedy: () =>
    'Usually the limiter lets requests through when its store is late or fails (it fails open). Give it a store that answers in time, or refuse in this case.',
  draw: (random) => ({
    kinds: drawKinds(random),
    oneIn: pick(random, [2, 3, 5, 10]),
    which: pick(random, ['over the limit', 'over the limit', 'any'] as const),
  }),
};
