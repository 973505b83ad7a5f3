import type { Kind } from '../../trace/exchange.ts';
import { drawKinds, limitRequirements, type Operator, singular } from '../operator.ts';

/** The first request of a window is not counted. */
export interface FreeFirstRequest {
  readonly kinds: readonly Kind[];
}

/** A window that starts counting too late. */
export const freeFirstRequest: Operator<'free-first-request', FreeFirstRequest> = {
  id: 'free-first-request',
  component: 'weight',
  breaks: ({ kinds }) => limitRequirements(kinds),
  mayShow: () => ['HDR-4'],
  sentence: ({ kinds }) => `The first ${singular(kinds)} of a window is not counted.`,
  remedy: () => 'Usually the request that finds no counter creates it with 0. Create it with 1.',
  draw: (random) => ({ kinds: drawKinds(random) }),
};
