import type { Kind } from '../../trace/exchange.ts';
import { classesText } from '../attribute.ts';
import { drawKinds, limitRequirements, type Operator, pick, plural } from '../operator.ts';

/** Requests that are let through now and then, although the limiter did not admit them. They are not counted. */
export interface SporadicAdmission {
  readonly kinds: readonly Kind[];
  /** One in so many of those meant, on average. */
  readonly oneIn: number;
  /** `over the limit`: refused ones; `any`: all, and their answers have the headers of an unused budget. */
  readonly which: 'over the limit' | 'any';
  /** Only requests of these operations; left out: of any. */
  readonly operations?: readonly string[];
  /** Only once a window has refused so many; left out: from the first one over the limit on. */
  readonly after?: number;
}

/** A limiter that fails open. */
export const sporadicAdmission: Operator<'sporadic-admission', SporadicAdmission> = {
  id: 'sporadic-admission',
  component: 'limit',
  breaks: ({ kinds, which }) => [...limitRequirements(kinds), ...(which === 'any' ? (['HDR-4'] as const) : [])],
  mayShow: () => [],
  sentence: ({ kinds, oneIn, which, operations, after }) =>
    after !== undefined
      ? `Once a window has refused ${after} ${plural(kinds)}, it lets all others through.`
      : operations
        ? `${classesText('operation', operations)} ${operations.length === 1 ? 'is' : 'are'} counted, but never refused.`
        : which === 'any'
          ? `About one in ${oneIn} of the ${plural(kinds)} is let through unchecked, with the headers of an unused budget.`
          : `About one in ${oneIn} of the ${plural(kinds)} over the limit is let through.`,
  remedy: ({ operations, after }) =>
    after !== undefined
      ? 'Usually a circuit breaker takes refusals for failures of the limiter, and then goes round it. Do not count an answer of 429 as a failure.'
      : operations
        ? 'Usually these routes only ask the limiter to count, or ignore what it says. Refuse their requests over the limit as those of other routes.'
        : 'Usually the limiter lets requests through when its store is late or fails (it fails open). Give it a store that answers in time, or refuse in this case.',
  draw(random) {
    const kinds = drawKinds(random);
    const oneIn = pick(random, [2, 3, 5, 10]);
    const which = pick(random, ['over the limit', 'over the limit', 'any'] as const);
    // In place of the greatest chance, so that the draws of all others stay what they are.
    if (which === 'any' || oneIn > 2 || random() < 0.5) return { kinds, oneIn, which };
    return { kinds, oneIn: 1, which, after: pick(random, [3, 6, 10]) };
  },
};
