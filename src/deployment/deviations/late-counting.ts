import type { Kind } from '../../trace/exchange.ts';
import { drawKinds, lengthText, limitRequirements, type Operator, onlyFor, pick } from '../operator.ts';

/** The count that decides on a request does not yet include requests decided shortly before. */
export interface LateCounting {
  readonly kinds: readonly Kind[];
  /** How long a request is missing from the count, in µs. */
  readonly lag: number;
  /** Whether its answer waits until it is counted. */
  readonly answered: 'when decided' | 'when counted';
}

/** A check with a later count. */
export const lateCounting: Operator<'late-counting', LateCounting> = {
  id: 'late-counting',
  component: 'concurrency',
  breaks: () => ['LIMIT-ATOMIC'],
  mayShow: ({ kinds }) => limitRequirements(kinds),
  sentence: ({ kinds, lag }) =>
    `A request is counted ${lengthText(lag)} or more after it was let through, and those in between do not see it${onlyFor(kinds)}.`,
  remedy: () =>
    'Usually the limit is checked first and the request counted afterwards, or the count is read from a replica. Let one atomic step do both.',
  draw: (random) => ({
    kinds: drawKinds(random),
    lag: pick(random, [5_000, 30_000, 100_000, 300_000]),
    answered: pick(random, ['when decided', 'when counted']),
  }),
};
