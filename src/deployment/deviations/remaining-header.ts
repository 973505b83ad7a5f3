import type { Kind } from '../../trace/exchange.ts';
import {
  type AfterRefusals,
  type Answers,
  answersText,
  drawRoute,
  isOnRefusals,
  OF_ROUTE,
  type Openers,
} from '../answers.ts';
import { BOTH, drawKinds, lengthText, type Operator, pick } from '../operator.ts';

/** What `X-RateLimit-Remaining` says in place of what is left. */
export interface RemainingHeader {
  readonly kinds: readonly Kind[];
  /**
   * - `offset`: so many more than are left, and never below 0
   * - `constant`: always this
   * - `the limit`: as if nothing were used
   * - `used`: what was used
   * - `rounded down to`: the greatest multiple of this that is left
   * - `at least`, `at most`: what is left, but never below or above this
   * - `stale`: what was left so many requests ago
   * - `late`: what was left so many µs ago, as a replica has it, or at most so many, as a cache has it
   * - `other kind`: what is left of the other kind's budget
   * - `lower of both kinds`: that, or what is left of its own, if it is less
   * - `repeated`: what an earlier answer to the same URL said, its Reset included, as a cache that stores headers has
   *   it
   * - `another request`: what a request at the same time was told, which may be of another key or kind; all three
   *   headers are its
   * - `below zero`: on refusals it goes on below 0
   * - `no rule`: a number that follows no rule that is known
   */
  readonly change:
    | { readonly offset: number }
    | { readonly constant: number }
    | { readonly roundedDownTo: number }
    | { readonly atLeast: number }
    | { readonly atMost: number }
    | { readonly stale: number }
    | { readonly late: number }
    | 'the limit'
    | 'used'
    | 'other kind'
    | 'lower of both kinds'
    | 'repeated'
    | 'another request'
    | 'below zero'
    | 'no rule';
  readonly only: Answers | Openers | AfterRefusals;
}

/** What is left, told wrongly. */
export const remainingHeader: Operator<'remaining-header', RemainingHeader> = {
  id: 'remaining-header',
  component: 'reporters',
  breaks({ change, only }) {
    const onRefusals = isOnRefusals(only);
    // A refusal has nothing left, whatever is told instead.
    if (onRefusals === 'only') return ['HDR-5'];
    const above =
      onRefusals &&
      (change === 'the limit' ||
        change === 'used' ||
        (typeof change === 'object' &&
          ('late' in change ||
            ('constant' in change && change.constant > 0) ||
            ('offset' in change && change.offset > 0) ||
            'atLeast' in change)));
    return above ? ['HDR-4', 'HDR-5'] : ['HDR-4'];
  },
  mayShow: ({ change }) => {
    if (change === 'another request') return ['HDR-3', 'HDR-5', 'HDR-7', 'HDR-8'];
    return change === 'repeated' ? ['HDR-5', 'HDR-7', 'HDR-8'] : ['HDR-4', 'HDR-5'];
  },
  sentence: ({ kinds, change, only }) => `X-RateLimit-Remaining ${told(change)}${answersText(kinds, only)}.`,
  remedy({ change, only }) {
    if (typeof only === 'object' && only.to) return OF_ROUTE;
    if (only === 'after refusals')
      return 'Usually the number of the refusal is kept, and told until the next request is counted. Fill it with what the decision left.';
    if (change === 'lower of both kinds')
      return 'Usually one header tells the least that is left under several limits. Fill it from the limit of the request’s own kind.';
    if (change === 'other kind')
      return 'Usually the header is filled from the limiter that ran last. Fill it from the one whose limit applies.';
    if (typeof change === 'object' && 'roundedDownTo' in change)
      return 'Usually nodes take requests from a common store in batches, and the header tells what the store has left. Add what the node still has.';
    if (change === 'below zero')
      return 'Usually the header is the limit minus the count, and refusals are counted. Never send less than 0.';
    if (change === 'another request')
      return 'Usually the limiter stores its decision where another request overwrites it before the answer is written. Store the decision with its own request.';
    if (typeof change === 'object' && 'late' in change)
      return 'Usually the header is filled from a cache or a copy of the count, which is renewed now and then. Fill it with what the decision left.';
    return change === 'repeated'
      ? 'Usually a response cache behind the limiter stores the headers, too. Set them on each answer after the cache.'
      : 'Usually the header is filled before the request is counted, from a copy, from a configured value, or from a number that was rounded. Fill it with what the decision left.';
  },
  draw(random, { operations }) {
    const kinds = drawKinds(random);
    const change = pick(random, [
      { offset: 1 },
      { offset: -1 },
      { offset: 5 },
      { constant: 7 },
      { roundedDownTo: 10 },
      { atLeast: 1 },
      { atMost: 20 },
      { stale: 1 },
      { stale: 3 },
      { late: 300_000 },
      'the limit',
      'used',
      'other kind',
      'lower of both kinds',
      'repeated',
      'below zero',
    ] as const);
    if (change === 'below zero') return { kinds, change, only: 'all' };
    // Caches repeat successful answers to GET and HEAD; few writes are sent so.
    if (change === 'repeated') return { kinds: ['read'], change, only: { statuses: [200] } };
    if (change === 'other kind' || change === 'lower of both kinds') return { kinds: BOTH, change, only: 'all' };
    // What refuses knows that nothing is left.
    if (typeof change === 'object' && 'late' in change) return { kinds, change, only: { statuses: [200] } };
    const partly = typeof change === 'object' && 'offset' in change && random() < 0.5;
    const some = [{ statuses: [404] }, { statuses: [200] }, drawRoute(random, kinds, operations)] as const;
    return { kinds, change, only: (partly ? pick(random, some) : null) ?? 'all' };
  },
};

/** Whether it says what was left earlier. */
export function isLate({ change }: RemainingHeader): boolean {
  return typeof change === 'object' && ('stale' in change || 'late' in change);
}

/** The number below or above which it never is; null if there is none. */
export function boundOf(change: RemainingHeader['change']): number | null {
  if (typeof change !== 'object') return null;
  return 'atLeast' in change ? change.atLeast : 'atMost' in change ? change.atMost : null;
}

function told(change: RemainingHeader['change']): string {
  if (change === 'the limit') return 'is always the limit';
  if (change === 'used') return 'is what was used';
  if (change === 'other kind') return 'is that of the other kind';
  if (change === 'lower of both kinds') return 'is the lower one of what is left of reads and of writes';
  if (change === 'repeated') return 'is repeated from an earlier answer to the same URL';
  if (change === 'another request') return 'is what another request was told, as are the other headers';
  if (change === 'below zero') return 'goes on below 0 on refusals';
  if (change === 'no rule') return 'is not what is left';
  if ('constant' in change) return `is always ${change.constant}`;
  if ('roundedDownTo' in change) return `is always a multiple of ${change.roundedDownTo}`;
  if ('atLeast' in change) return `is never below ${change.atLeast}`;
  if ('atMost' in change) return `is never above ${change.atMost}`;
  if ('late' in change) return `is at times ${lengthText(change.late)} or more out of date`;
  if ('stale' in change)
    return `is what was left ${change.stale} ${change.stale === 1 ? 'request' : 'requests'} before`;
  return `is ${Math.abs(change.offset)} too ${change.offset > 0 ? 'high' : 'low'}`;
}
