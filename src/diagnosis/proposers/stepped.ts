import { WINDOW } from '../../oracle/history.ts';
import { shape } from '../../oracle/shapes.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import type { World } from '../world.ts';
import { areOnlyMarkersWrong, UNJUDGED_BITS } from './moved.ts';

/** Lengths of steps that divide a minute, in s. */
const STEPS = [5, 6, 10, 12, 15, 20, 30];
const SHORTEST = Math.min(...STEPS);
const SECOND = 1_000_000;

/** Bits to say which mechanism it is. */
const KIND_BITS = 2;

/**
 * A sliding log that drops the requests of a whole step at once. It keeps each between a minute less a step and a minute, which is what a log does
 * whose window is half a step shorter and whose clock is off by as much. The longer the step, the more that leaves open, and the more it costs.
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
