import type { Kind } from '../../trace/exchange.ts';
import { classesText, isPlural, type RequestClass, requirementOf } from '../attribute.ts';
import { SECOND } from '../deployment.ts';
import { drawKinds, lengthText, limitRequirements, type Operator, pick, plural, whole } from '../operator.ts';

/** Requests that are let through now and then, although the limiter did not admit them. They are not counted. */
export interface SporadicAdmission {
  readonly kinds: readonly Kind[];
  /** One in so many of those meant, on average. */
  readonly oneIn: number;
  /** `over the limit`: refused ones; `any`: all, and their answers have the headers of an unused budget. */
  readonly which: 'over the limit' | 'any';
  /** The requests that are meant; left out: all. */
  readonly of?: RequestClass;
  /** Only once a window has refused so many; left out: from the first one over the limit on. */
  readonly after?: number;
  /** Only from one time to another, in µs since the start of the run; left out: at any time. */
  readonly during?: Stretch;
}

/** A part of the run, in µs since its start. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** In place of this chance, so that the draws of all others stay what they are: all requests while an outage lasts. */
const OUTAGE = 10;

/** A limiter that fails open. */
export const sporadicAdmission: Operator<'sporadic-admission', SporadicAdmission> = {
  id: 'sporadic-admission',
  component: 'limit',
  breaks: ({ kinds, which }) => [...limitRequirements(kinds), ...(which === 'any' ? (['HDR-4'] as const) : [])],
  mayShow: ({ of }) => (of ? [requirementOf(of.attribute)] : []),
  sentence({ kinds, oneIn, which, of, after, during }) {
    if (during)
      return `From ${lengthText(during.from)} to ${lengthText(during.to)} after the start of the run, ${plural(kinds)} are let through unchecked, with the headers of an unused budget.`;
    if (after !== undefined) return `Once a window has refused ${after} ${plural(kinds)}, it lets all others through.`;
    if (of)
      return `${classesText(of.attribute, of.classes)} ${isPlural(of.attribute, of.classes) ? 'are' : 'is'} counted, but never refused.`;
    return which === 'any'
      ? `About one in ${oneIn} of the ${plural(kinds)} is let through unchecked, with the headers of an unused budget.`
      : `About one in ${oneIn} of the ${plural(kinds)} over the limit is let through.`;
  },
  remedy({ of, after, during }) {
    if (during)
      return 'Usually the store of the counters could not be reached then, and the limiter let everything through (it fails open). Refuse in this case, or keep a second store that takes over with all counts.';
    if (after !== undefined)
      return 'Usually a circuit breaker takes refusals for failures of the limiter, and then goes round it. Do not count an answer of 429 as a failure.';
    return of
      ? 'Usually the limiter is only asked to count these requests, or what it says is ignored. Refuse them over the limit as any others.'
      : 'Usually the limiter lets requests through when its store is late or fails (it fails open). Give it a store that answers in time, or refuse in this case.';
  },
  draw(random) {
    const kinds = drawKinds(random);
    const oneIn = pick(random, [2, 3, 5, 10]);
    const which = pick(random, ['over the limit', 'over the limit', 'any'] as const);
    if (which === 'any' && oneIn === OUTAGE) {
      const from = whole(random, 2, 100) * SECOND;
      return { kinds, oneIn: 1, which, during: { from, to: from + whole(random, 5, 30) * SECOND } };
    }
    // In place of the greatest chance, so that the draws of all others stay what they are.
    if (which === 'any' || oneIn > 2 || random() < 0.5) return { kinds, oneIn, which };
    return { kinds, oneIn: 1, which, after: pick(random, [3, 6, 10]) };
  },
};
