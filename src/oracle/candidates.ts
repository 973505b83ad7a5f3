import { anchoredChains, renewedChains } from './anchored.ts';
import { slidingCounter } from './counter.ts';
import { slidingLog } from './log.ts';
import type { Model, ModelInput, Span } from './model.ts';
import type { Box, Dimension } from './search.ts';
import type { MechanismName, Variant } from './variant.ts';
import { fixedWindows, gridSpans } from './windows.ts';

/** The models of a variant: one or more for each box of the parameters that only the history can show. */
export interface Candidates {
  readonly dimensions: readonly Dimension[];
  readonly models: (box: Box) => readonly Model[];
}

/** Phases closer than this are not distinguished, in µs. */
export const FINEST = 8_000;

/** The chains of fixed windows that requests begin. @param first windows from before the history */
export function chainsOf(
  mechanism: MechanismName,
  input: ModelInput,
  first: readonly Span[] = [],
): readonly (readonly Span[])[] {
  if (mechanism === 'grid, anchored') return anchoredChains(input, { first, mayGoOn: true });
  if (mechanism === 'anchored') return anchoredChains(input, { first });
  const { ofKey, ofAll } = input.beside ?? {};
  const beside = mechanism === 'anchored, key' ? ofKey : ofAll;
  // Without requests of others, or if they are not known, these are windows that the budget's own begin.
  return anchoredChains(input, { first, beside: beside ?? [] });
}

/** The models of a variant for a budget that nobody had used for two windows when the history began. */
export function quietSearch(variant: Variant, input: ModelInput): Candidates {
  const { latch, marker } = variant;
  const phase: Dimension = { low: 0, high: input.window, finest: FINEST, whole: false };
  const grid = ([side]: Box) => gridSpans(input, side?.low ?? 0, side?.high ?? input.window);
  switch (variant.mechanism) {
    case 'grid':
      return { dimensions: [phase], models: (box) => [fixedWindows(grid(box), input)] };
    case 'anchored':
    case 'grid, anchored':
    case 'anchored, key':
    case 'anchored, all':
      return {
        dimensions: [],
        models: () => chainsOf(variant.mechanism, input).map((chain) => fixedWindows(chain, input)),
      };
    case 'log':
      return { dimensions: [], models: () => [slidingLog(input, variant.reset)] };
    case 'counter':
      return { dimensions: [phase], models: (box) => [slidingCounter(grid(box), input, latch, marker)] };
    case 'counter, anchored':
      return {
        dimensions: [],
        models: () =>
          [...anchoredChains(input, { anyDecision: true }), ...renewedChains(input)].map((chain) =>
            slidingCounter(chain, input, latch, marker),
          ),
      };
  }
}
