import type { Kind } from '../../trace/exchange.ts';
import { drawKinds, lengthText, limitRequirements, type Operator, onlyFor, pick } from '../operator.ts';

/** Slow requests that something in front of the limiter sends again, so that they are counted twice. */
export interface Retried {
  readonly kinds: readonly Kind[];
  /** µs without an answer after which a request is sent again. */
  readonly after: number;
}

/** A gateway or a client library that tries again. */
export const retried: Operator<'retried', Retried> = {
  id: 'retried',
  component: 'weight',
  breaks: ({ kinds }) => limitRequirements(kinds),
  mayShow: () => ['HDR-4'],
  sentence: ({ kinds, after }) =>
    `Requests that take longer than about ${lengthText(after)} are counted twice${onlyFor(kinds)}.`,
  remedy: () =>
    'Usually a gateway in front of the limiter sends a request again if it takes long, and both are counted. Count each request where it enters, or let the gateway wait.',
  draw: (random) => ({ kinds: drawKinds(random), after: pick(random, [100_000, 500_000, 1_000_000]) }),
};
