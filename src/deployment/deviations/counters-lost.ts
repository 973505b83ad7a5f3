import type { Kind } from '../../trace/exchange.ts';
import { SECOND } from '../deployment.ts';
import { drawKinds, lengthText, limitRequirements, type Operator, plural, whole } from '../operator.ts';

/** All counters are lost once: windows that were under way begin again. */
export interface CountersLost {
  readonly kinds: readonly Kind[];
  /** When, in µs of the run's clock. */
  readonly at: number;
}

/** A restart, or an emptied store: clause 8 excuses no minute. */
export const countersLost: Operator<'counters-lost', CountersLost> = {
  id: 'counters-lost',
  component: 'window',
  breaks: ({ kinds }) => limitRequirements(kinds),
  mayShow: () => ['HDR-4', 'HDR-8', 'LIMIT-WINDOW', 'LIMIT-ATOMIC'],
  sentence: ({ kinds, at }) =>
    `All counts of ${plural(kinds)} were lost ${lengthText(at)} after the start of the run, as by a restart.`,
  remedy: () =>
    'Usually the process was restarted and keeps its counters in its own memory. Keep them in a store that outlives it.',
  draw: (random) => ({ kinds: drawKinds(random), at: whole(random, 5, 110) * SECOND }),
};
