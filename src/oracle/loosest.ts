import type { Shape } from './shapes.ts';

/**
 * Shapes with the same name count alike: they differ in their markers, in how finely their clock ticks, and in whether
 * refusals are remembered.
 */
export function familyOf({ mechanism, refusedCounted }: Shape): string {
  return `${mechanism} ${refusedCounted}`;
}

/**
 * The shape whose model, without markers, allows all decisions and counts that any of a family allows: a clock may lag
 * by up to its tick, so a coarser one includes the finer ones, and where refusals are remembered, a refusal needs no
 * full window, but may have found one. So what refutes it refutes the whole family at once.
 *
 * @param family shapes of one family, at least one
 */
export function loosestOf(family: readonly [Shape, ...Shape[]]): Shape {
  return {
    ...{ mechanism: family[0].mechanism, refusedCounted: family[0].refusedCounted, reset: 'oldest' },
    lag: Math.max(...family.map(({ lag }) => lag)),
    latch: family.some(({ latch }) => latch),
  };
}
