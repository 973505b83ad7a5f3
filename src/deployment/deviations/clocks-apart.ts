import type { Kind } from '../../trace/exchange.ts';
import { SECOND } from '../deployment.ts';
import { drawKinds, lengthText, type Operator, onlyFor, pick } from '../operator.ts';
import type { NodesApart } from './nodes-apart.ts';

/** Nodes that share the counters of windows on a grid, and of which some are early. */
export interface ClocksApart {
  readonly kinds: readonly Kind[];
  /** How far the clocks of some nodes are ahead of the others, in µs. */
  readonly ahead: number;
  /** Which requests come to those nodes. */
  readonly routing: NodesApart['routing'];
}

/** Windows that have begun on some nodes while they last on the others. */
export const clocksApart: Operator<'clocks-apart', ClocksApart> = {
  id: 'clocks-apart',
  component: 'window',
  breaks: () => ['LIMIT-WINDOW'],
  // On those nodes, the marker lies more than a window ahead, and it goes to and fro.
  mayShow: () => ['HDR-7', 'HDR-8'],
  sentence: ({ kinds, ahead }) =>
    `For some requests, each window begins at least ${lengthText(ahead)} before the last one has ended for the others${onlyFor(kinds)}.`,
  remedy: () =>
    'Usually several nodes share the counters, each names the window by its own clock, and the clocks differ. Synchronize the clocks, or take the time from the store.',
  draw: (random) => ({
    kinds: drawKinds(random),
    ahead: pick(random, [5, 10, 25]) * SECOND,
    routing: pick(random, ['in turn', 'at random', 'by connection']),
  }),
};
