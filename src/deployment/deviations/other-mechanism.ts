import type { RequirementId } from '../../catalogue/requirement.ts';
import type { Kind } from '../../trace/exchange.ts';
import { SECOND } from '../deployment.ts';
import { drawKinds, lengthText, limitRequirements, type Operator, onlyFor, pick } from '../operator.ts';

/** A limiter that has no window in which the limit is left. */
export interface OtherMechanism {
  readonly kinds: readonly Kind[];
  /**
   * - `token bucket`: refilled evenly, the limit a minute
   * - `leaky bucket`: leaks one request each minute / limit, on its own beat
   * - `gcra`: the generic cell rate algorithm
   * - `queue`: lets one request through each minute / limit, and keeps the others waiting
   * - `leaking window`: a fixed window of which one request is given back again and again
   */
  readonly name: 'token bucket' | 'leaky bucket' | 'gcra' | 'queue' | 'leaking window';
  /** How many requests it takes at once, as a share of the limit. */
  readonly burst: number;
  /** What the marker points to: when all is back, or when the next request is let through. */
  readonly marker: 'all' | 'next';
  /** How often a leaking window gives one request back, in µs. */
  readonly every?: number;
}

const HISTORY: readonly RequirementId[] = ['LIMIT-HISTORY'];

/** A limit that comes back bit by bit. */
export const otherMechanism: Operator<'other-mechanism', OtherMechanism> = {
  id: 'other-mechanism',
  component: 'mechanism',
  // A limiter without a window has no window mechanism that could explain a history, either. Others have a window.
  breaks: (own) => ['LIMIT-WINDOW', ...(hasWindow(own) ? [] : HISTORY)],
  mayShow(own) {
    const beside = hasWindow(own) ? [...limitRequirements(own.kinds), ...HISTORY] : [];
    return ['HDR-4', 'HDR-5', 'HDR-7', 'HDR-8', ...beside];
  },
  sentence({ kinds, name, burst, every }) {
    return every !== undefined
      ? `One request is given back about every ${lengthText(every)}, before the window ends${onlyFor(kinds)}.`
      : `The limiter is a ${name === 'gcra' ? 'GCRA' : name}, not a window${burst === 1 ? '' : `, and takes ${Math.round(burst * 100)} % of the limit at once`}${onlyFor(kinds)}.`;
  },
  remedy({ every }) {
    return every !== undefined
      ? 'Usually a timer lowers each counter, as a bucket leaks. Count each request until its window ends.'
      : 'Usually this limiter is the default of the library or gateway. Choose a fixed window, a sliding log or a sliding counter of one minute.';
  },
  draw(random) {
    const kinds = drawKinds(random);
    const name = pick(random, ['token bucket', 'leaky bucket', 'gcra', 'leaking window'] as const);
    if (name === 'leaking window') {
      return { kinds, name, burst: 1, marker: 'all', every: pick(random, [3, 5, 7, 10]) * SECOND };
    }
    return { kinds, name, burst: pick(random, [1, 1, 1, 0.5]), marker: pick(random, ['all', 'next']) };
  },
};

function hasWindow({ name }: OtherMechanism): boolean {
  return name === 'leaking window';
}
