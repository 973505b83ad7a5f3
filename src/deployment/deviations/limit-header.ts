import { LIMITS } from '../../catalogue/limits.ts';
import type { Kind } from '../../trace/exchange.ts';
import { type Answers, answersText } from '../answers.ts';
import { BOTH, type Operator, pick } from '../operator.ts';

/** The value of `X-RateLimit-Limit` instead of the limit. */
export interface LimitHeader {
  readonly kinds: readonly Kind[];
  readonly change:
    | { readonly constant: number }
    | { readonly offset: number }
    | 'limit of the other kind'
    | 'remaining';
  readonly only: Answers;
}

/** A wrong limit in the header. */
export const limitHeader: Operator<'limit-header', LimitHeader> = {
  id: 'limit-header',
  component: 'reporters',
  breaks: () => ['HDR-3'],
  mayShow: () => [],
  sentence: ({ kinds, change, only }) => `X-RateLimit-Limit is ${told(change)}${answersText(kinds, only)}.`,
  remedy: () =>
    'Usually the header is filled from another policy, or from the value beside it. Fill it with the limit that applies to the operation.',
  draw(random) {
    const kinds = pick(random, [BOTH, ['read'], ['write']] as const);
    const stated = kinds[0] === undefined ? LIMITS.read : LIMITS[kinds[0]];
    const change = pick(random, [
      { constant: 1000 },
      { constant: stated + 20 },
      { offset: -1 },
      { offset: 1 },
      'limit of the other kind',
      'remaining',
    ] as const);
    return { kinds, change, only: pick(random, ['all', 'all', { statuses: [429] }]) };
  },
};

function told(change: LimitHeader['change']): string {
  if (change === 'limit of the other kind') return 'the limit of the other kind';
  if (change === 'remaining') return 'what is left';
  return 'constant' in change ? `always ${change.constant}` : offsetText(change.offset);
}

function offsetText(offset: number): string {
  return `${Math.abs(offset)} too ${offset > 0 ? 'high' : 'low'}`;
}
