import type { Kind } from '../../trace/exchange.ts';
import { drawKinds, type Operator, onlyFor, pick } from '../operator.ts';

/** A limiter that has no window in which the limit is left. */
export interface OtherMechanism {
  readonly kinds: readonly Kind[];
  /**
   * - `token bucket`: refilled evenly, the limit a minute
   * - `leaky bucket`: leaks one request each minute / limit, on its own beat
   * - `gcra`: the generic cell rate algorithm
   * - `queue`: lets one request through each minute / limit, and keeps the others waiting
   */
  readonly name: 'token bucket' | 'leaky bucket' | 'gcra' | 'queue';
  /** How many requests it takes at once, as a share of the limit. */
  readonly burst: number;
  /** What the marker points to: when all is back, or when the next request is let through. */
  readonly marker: 'all' | 'next';
}

/** A limit that comes back bit by bit. */
export const otherMechanism: Operator<'other-mechanism', OtherMechanism> = {
  id: 'other-mechanism',
  component: 'mechanism',
  // A limiter without a window has no window mechanism that could explain a history, either.
  breaks: () => ['LIMIT-WINDOW', 'LIMIT-HISTORY'],
  mayShow: () => ['HDR-4', 'HDR-5', 'HDR-7', 'HDR-8'],
  sentence: ({ kinds, name, burst }) =>
    `The limiter is a ${name === 'gcra' ? 'GCRA' : name}, not a window${burst === 1 ? '' : `, and takes ${Math.round(burst * 100)} % of the limit at once`}${onlyFor(kinds)}.`,
  remedy: () =>
    'Usually it is the default of the library or gateway. Choose a fixed window, a sliding log or a sliding counter of one minute.',
  draw: (random) => ({
    kinds: drawKinds(random),
    name: pick(random, ['token bucket', 'leaky bucket', 'gcra']),
    burst: pick(random, [1, 1, 1, 0.5]),
    marker: pick(random, ['all', 'next']),
  }),
};
