import { anchoredChains, renewedChains } from './anchored.ts';
import { slidingCounter } from './counter.ts';
import type { Variant } from './explain.ts';
import { slidingLog } from './log.ts';
import type { Model, ModelInput } from './model.ts';
import type { Box, Dimension } from './search.ts';
import { fixedWindows, gridSpans } from './windows.ts';

/** The models of a variant: one or more for each box of the parameters that only the history can show. */
export interface Candidates {
  readonly dimensions: readonly Dimension[];
  readonly models: (box: Box) => readonly Model[];
}

/** Phases closer than this are not distinguished, in µs. */
export const FINEST = 8_000;

/** The models of a variant for a budget that nobody had used for two windows when the history began. */
export function quietSearch(variant: Variant, input: ModelInput): Candidates {
  const { latch, marker } = variant;
  const phase: Dimension = { low: 0, high: input.window, finest: FINEST, whole: false };
  const grid = ([side]: Box) => gridSpans(input, side?.low ?? 0, side?.high ?? input.window);
  switch (variant.mechanism) {
    case 'grid':
      return { dimensions: [phase], models: (box) => [fixedWindows(grid(box), input)] };
    case 'anchored':
      return { dimensions: [], models: () => anchoredChains(input).map((chain) => fixedWindows(chain, input)) };
    case 'grid, anchored':
      return {
        dimensions: [],
        models: () => anchoredChains(input, false, [], true).map((chain) => fixedWindows(chain, input)),
      };
    case 'log':
      return { dimensions: [], models: () => [slidingLog(input, variant.reset)] };
    case 'counter':
      return { dimensions: [phase], models: (box) => [slidingCounter(grid(box), input, latch, marker)] };
    case 'counter, anchored':
      return {
        dimensions: [],
        models: () =>
          [...anchoredChains(input, true), ...renewedChains(input)].map((chain) =>
            slidingCounter(chain, input, latch, marker),
          ),
      };
  }
}
