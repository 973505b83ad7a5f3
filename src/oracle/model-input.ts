import type { Counting } from './counting.ts';
import { countsOf } from './counts.ts';
import type { History } from './history.ts';
import type { ModelInput } from './model.ts';
import type { Variant } from './variant.ts';

/**
 * How far a clock may lag, in µs: only a small part of the window, so that each window ends after its beginning. A log
 * has no windows that begin and end.
 */
export function lagIn({ lag, mechanism }: Pick<Variant, 'lag' | 'mechanism'>, window: number): number {
  return mechanism === 'log' ? Math.min(lag, window / 2) : Math.min(lag, window / 20);
}

/** The input of the models of a history. */
export function inputOf(
  { events, limit, shared = false, racing = false, beside }: History,
  counting: Counting,
  window: number,
  lag: number,
): ModelInput {
  return {
    counts: countsOf(events, counting),
    counting,
    events,
    limit,
    window,
    lag,
    shared,
    racing,
    ...(beside && { beside }),
  };
}
