import { WINDOW } from '../../oracle/history.ts';
import { shape } from '../../oracle/shapes.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import type { World } from '../world.ts';
import { areOnlyMarkersWrong, UNJUDGED_BITS } from './moved.ts';

/** Lengths of steps that divide a minute, in s. */
const STEPS = [5, 6, 10, 12, 15, 20, 30];
const SHORTEST = Math.min(...STEPS);
const SECOND = 1_000_000;

/** Bits to state which mechanism it is. */
const KIND_BITS = 2;

/**
 * A sliding log that drops all requests of a step at once. It keeps each for a time between a minute less a step and a
 * minute. A log whose window is half a step shorter and whose clock may be off by half a step does the same. The longer
 * the step, the more this leaves open, and the more it costs.
 */
export function* proposeSteps(world: World, { kind, fitter }: SearchContext): Iterable<Proposal> {
  if (world.window !== WINDOW || !world.layers.remaining) return;
  if (areOnlyMarkersWrong(world, fitter)) return;
  for (const seconds of STEPS) {
    const step = seconds * SECOND;
    yield {
      deviations: [
        {
          operator: 'other-mechanism',
          parameters: { kinds: [kind], name: 'stepped window', burst: 1, marker: 'next', step },
        },
      ],
      bits: DEVIATION_BITS + KIND_BITS + UNJUDGED_BITS + Math.log2(STEPS.length) + Math.log2(seconds / SHORTEST),
      world: {
        ...world,
        layers: { ...world.layers, reset: false },
        window: WINDOW - step / 2,
        shapes: [shape('log', step / 2), shape('log', step / 2, { refusedCounted: true })],
      },
    };
  }
}
