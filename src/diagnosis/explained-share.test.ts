import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Shape } from '../oracle/shapes.ts';
import { Work } from '../oracle/work.ts';
import { furthestShapes } from './explained-share.ts';
import { SIMULATED_WORLDS } from './simulated-world.test-support.ts';

test('the mechanism of each family that explains most is the one that no other explains more than', () => {
  fc.assert(
    fc.property(SIMULATED_WORLDS, (world) => {
      const better = (one: Shape, other: Shape): Shape => {
        const [first = one] = furthestShapes({ ...world, shapes: [one, other] }, new Work(10_000_000));
        return first;
      };
      const families = Map.groupBy(world.shapes, ({ mechanism }) => mechanism);
      const best = [...families.values()].map((family) => family.reduce(better));
      expect(new Set(furthestShapes(world, new Work(10_000_000)))).toEqual(new Set(best));
    }),
    { numRuns: 8, seed: 15 },
  );
});
