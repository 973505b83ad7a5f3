import type { Kind } from '../../trace/exchange.ts';
import { drawKinds, limitRequirements, type Operator, pick, plural, singular } from '../operator.ts';

/** The first requests of a window are not counted. */
export interface FreeFirstRequest {
  readonly kinds: readonly Kind[];
  /** How many; left out: one. */
  readonly many?: number;
}

/** A window that starts counting too late. */
export const freeFirstRequest: Operator<'free-first-request', FreeFirstRequest> = {
  id: 'free-first-request',
  component: 'weight',
  breaks: ({ kinds }) => limitRequirements(kinds),
  mayShow: () => ['HDR-4'],
  sentence: ({ kinds, many = 1 }) =>
    many === 1
      ? `The first ${singular(kinds)} of a window is not counted.`
      : `The first ${many} ${plural(kinds)} of a window are not counted.`,
  remedy: ({ many = 1 }) =>
    many === 1
      ? 'Usually the request that finds no counter creates it with 0. Create it with 1.'
      : 'Usually requests are let through while the counter is not there yet. Create it with the first request, and count that one.',
  draw(random) {
    const kinds = drawKinds(random);
    const many = pick(random, [1, 1, 3, 5]);
    return many === 1 ? { kinds } : { kinds, many };
  },
};
