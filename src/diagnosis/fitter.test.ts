import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Work } from '../oracle/work.ts';
import { Fitter } from './fitter.ts';
import { SIMULATED_WORLDS } from './simulated-world.test-support.ts';

test('mechanisms that are refuted at once are those that are refuted one by one', () => {
  let refuted = 0;
  let explained = 0;
  fc.assert(
    fc.property(SIMULATED_WORLDS, (world) => {
      const together = [...new Fitter(new Work(10_000_000)).all(world)].map(({ shape }) => shape);
      const oneByOne = world.shapes.filter((shape) => {
        return new Fitter(new Work(10_000_000)).fit({ ...world, shapes: [shape] }) !== null;
      });
      expect(new Set(together)).toEqual(new Set(oneByOne));
      refuted += world.shapes.length - oneByOne.length;
      explained += oneByOne.length;
    }),
    { numRuns: 8, seed: 15 },
  );
  expect(refuted).toBeGreaterThan(explained);
  expect(explained).toBeGreaterThan(0);
});
