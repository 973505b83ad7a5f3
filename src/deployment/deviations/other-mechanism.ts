import type { RequirementId } from '../../catalogue/requirement.ts';
import type { Kind } from '../../trace/exchange.ts';
import { SECOND } from '../deployment.ts';
import { drawKinds, type Operator, onlyFor, pick } from '../operator.ts';

/** A limiter that has no window in which the limit is left. */
export interface OtherMechanism {
  readonly kinds: readonly Kind[];
  /**
   * - `token bucket`: refilled evenly, the limit a minute
   * - `leaky bucket`: leaks one request each minute / limit, on its own beat
   * - `gcra`: the generic cell rate algorithm
   * - `queue`: lets one request through each minute / limit, and keeps the others waiting
   * - `stepped window`: a sliding log that takes the requests of each step of time as one, and drops them when a minute
   *   has passed since the step began
   */
  readonly name: 'token bucket' | 'leaky bucket' | 'gcra' | 'queue' | 'stepped window';
  /** How many requests it takes at once, as a share of the limit. */
  readonly burst: number;
  /** What the marker points to: when all is back, or when the next request is let through. */
  readonly marker: 'all' | 'next';
  /** How long a step of a stepped window is, in µs. */
  readonly step?: number;
}

const HISTORY: readonly RequirementId[] = ['LIMIT-HISTORY'];

/** A limit that comes back bit by bit. */
export const otherMechanism: Operator<'other-mechanism', OtherMechanism> = {
  id: 'other-mechanism',
  component: 'mechanism',
  // A limiter without a window has no window mechanism that could explain a history, either. A stepped one has a
  // window.
  breaks: ({ name }) => ['LIMIT-WINDOW', ...(name === 'stepped window' ? [] : HISTORY)],
  mayShow: ({ name }) => ['HDR-4', 'HDR-5', 'HDR-7', 'HDR-8', ...(name === 'stepped window' ? HISTORY : [])],
  sentence: ({ kinds, name, burst, step }) =>
    step !== undefined
      ? `The window slides in steps of about ${step / 1e6} s, so budget comes back up to ${step / 1e6} s early${onlyFor(kinds)}.`
      : `The limiter is a ${name === 'gcra' ? 'GCRA' : name}, not a window${burst === 1 ? '' : `, and takes ${Math.round(burst * 100)} % of the limit at once`}${onlyFor(kinds)}.`,
  remedy: ({ step }) =>
    step !== undefined
      ? 'Usually the limiter divides its window into segments and drops the oldest one whole. Drop each segment only when a minute has passed since its end, or log each request.'
      : 'Usually it is the default of the library or gateway. Choose a fixed window, a sliding log or a sliding counter of one minute.',
  draw(random) {
    const kinds = drawKinds(random);
    const name = pick(random, ['token bucket', 'leaky bucket', 'gcra', 'stepped window'] as const);
    if (name === 'stepped window') {
      return { kinds, name, burst: 1, marker: 'next', step: pick(random, [5, 6, 10, 15, 20]) * SECOND };
    }
    return { kinds, name, burst: pick(random, [1, 1, 1, 0.5]), marker: pick(random, ['all', 'next']) };
  },
};
