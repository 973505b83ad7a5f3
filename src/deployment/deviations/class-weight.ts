import type { RequirementId } from '../../catalogue/requirement.ts';
import type { Kind } from '../../trace/exchange.ts';
import { type Attribute, classesText, isPlural, likeOperation, requirementOf } from '../attribute.ts';
import { BOTH, limitRequirements, type Operator, onlyFor, pick } from '../operator.ts';

/** The cost of requests of some classes, instead of 1. */
export interface ClassWeight {
  readonly kinds: readonly Kind[];
  /** `status`: the class is the answer's, such as `404` or `429`. */
  readonly attribute: Attribute | 'status';
  readonly classes: readonly string[];
  /**
   * 0: not counted, but refused if the budget is spent (by status: counted until it is answered); −1: a request gives
   * one back.
   */
  readonly weight: number;
}

/** Requests that cost more or less than one. */
export const classWeight: Operator<'class-weight', ClassWeight> = {
  id: 'class-weight',
  component: 'weight',
  breaks: ({ kinds, attribute, weight }) => broken(kinds, attribute, weight),
  // If every refused request is given back, or nothing is counted, nothing may ever be refused.
  mayShow: ({ weight }) => (weight > 0 ? [] : ['STATUS-429']),
  sentence({ kinds, attribute, classes, weight }) {
    const who =
      attribute === 'status' ? `Requests that are answered ${classes.join(', ')}` : classesText(attribute, classes);
    const plural = attribute === 'status' || isPlural(attribute, classes);
    const times = weight === 2 ? 'twice' : `${weight} times`;
    const are = plural ? 'are' : 'is';
    const counted =
      weight > 0 ? `counted ${times}` : attribute === 'status' ? 'counted only until they are answered' : 'not counted';
    const cost = weight < 0 ? `${plural ? 'add' : 'adds'} one to what is left` : `${are} ${counted}`;
    return `${who} ${cost}${onlyFor(kinds)}.`;
  },
  remedy: ({ weight }) =>
    weight > 1
      ? 'Usually these requests pass the limiter twice, or a cost is configured for them. Count each request once.'
      : 'Usually a handler takes requests off the count again, or only some answers are counted. Count each request once when it arrives.',
  draw(random, { operations }) {
    const attribute = pick(random, ['operation', 'group', 'method', 'credential', 'status'] as const);
    const weight = pick(random, [0, 2, 5, -1]);
    if (attribute === 'credential')
      return { kinds: BOTH, attribute, classes: [pick(random, ['x-api-key', 'bearer'])], weight };
    if (attribute === 'status') {
      const [status, cost] = pick(random, [
        ['429', -1],
        ['404', 2],
        ['400', 2],
        ['200', 0],
      ] as const);
      return { kinds: BOTH, attribute, classes: [status], weight: cost };
    }
    // If all requests of its kinds have this cost, it only changes how many the limit accepts.
    const like = likeOperation(attribute, pick(random, operations), operations);
    return like && { ...like, attribute, weight };
  },
};

function broken(kinds: readonly Kind[], attribute: Attribute | 'status', weight: number): readonly RequirementId[] {
  const scope = attribute === 'status' ? null : requirementOf(attribute);
  // Requests that cost nothing are outside of the budget that all requests of the kind share. Any other cost is taken
  // from this budget, and changes the number of accepted requests.
  if (scope !== null && (weight === 0 || (weight < 0 && scope !== 'LIMIT-SCOPE'))) return [scope];
  return limitRequirements(kinds);
}
