import { anchoredChains, renewedChains } from './anchored.ts';
import { slidingCounter } from './counter.ts';
import type { Variant } from './explain.ts';
import { slidingLog } from './log.ts';
import type { Model, Scene } from './model.ts';
import type { Box, Dimension } from './search.ts';
import { fixedWindows, gridSpans } from './windows.ts';

/** The models of a variant: one or more for each box of the parameters that only the history can tell. */
export interface Candidates {
  readonly dimensions: readonly Dimension[];
  readonly models: (box: Box) => readonly Model[];
}

/** Phases closer than this are not told apart, in µs. */
export const FINEST = 8_000;

/** The models of a variant for a budget that nobody had used for two windows when the history began. */
export function quietSearch(variant: Variant, scene: Scene): Candidates {
  const { latch, marker } = variant;
  const phase: Dimension = { low: 0, high: scene.window, finest: FINEST, whole: false };
  const grid = ([side]: Box) => gridSpans(scene, side?.low ?? 0, side?.high ?? scene.window);
  switch (variant.mechanism) {
    case 'grid':
      return { dimensions: [phase], models: (box) => [fixedWindows(grid(box), scene)] };
    case 'anchored':
      return { dimensions: [], models: () => anchoredChains(scene).map((chain) => fixedWindows(chain, scene)) };
    case 'grid, anchored':
      return {
        dimensions: [],
        models: () => anchoredChains(scene, false, [], true).map((chain) => fixedWindows(chain, scene)),
      };
    case 'log':
      return { dimensions: [], models: () => [slidingLog(scene, variant.reset)] };
    case 'counter':
      return { dimensions: [phase], models: (box) => [slidingCounter(grid(box), scene, latch, marker)] };
    case 'counter, anchored':
      return {
        dimensions: [],
        models: () =>
          [...anchoredChains(scene, true), ...renewedChains(scene)].map((chain) =>
            slidingCounter(chain, scene, latch, marker),
          ),
      };
  }
}
