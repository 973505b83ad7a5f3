import type { Counting } from './counting.ts';
import type { Variant } from './variant.ts';

const WHOLE_SECOND = 1_000_000;

/** A mechanism with all of its options except how failed requests are counted. */
export type Shape = Pick<Variant, 'mechanism' | 'lag' | 'reset' | 'marker' | 'latch'> & {
  readonly refusedCounted: boolean;
};

/** From the simplest to the most permissive, so the first one that survives is the best name. */
export const SHAPES: readonly Shape[] = [0, WHOLE_SECOND].flatMap((lag) => [
  shape('grid', lag),
  shape('anchored', lag),
  shape('log', lag),
  shape('log', lag, { reset: 'now' }),
  shape('log', lag, { reset: 'newest' }),
  shape('log', lag, { refusedCounted: true }),
  shape('log', lag, { refusedCounted: true, reset: 'slot' }),
  shape('log', lag, { refusedCounted: true, reset: 'now' }),
  shape('counter', lag),
  shape('counter', lag, { latch: true }),
  shape('counter', lag, { refusedCounted: true }),
  shape('counter, anchored', lag),
  shape('counter, anchored', lag, { latch: true }),
  shape('counter', lag, { marker: 'slot' }),
  shape('counter, anchored', lag, { marker: 'slot' }),
  shape('counter', lag, { marker: 'now' }),
  shape('counter, anchored', lag, { marker: 'now' }),
  shape('counter, anchored', lag, { refusedCounted: true }),
  shape('grid, anchored', lag),
  shape('anchored, key', lag),
  shape('anchored, all', lag),
  shape('counter', lag, { refusedCounted: true, marker: 'slot' }),
  shape('counter, anchored', lag, { refusedCounted: true, marker: 'slot' }),
  shape('counter', lag, { refusedCounted: true, marker: 'now' }),
  shape('counter, anchored', lag, { refusedCounted: true, marker: 'now' }),
]);

export function shape(mechanism: Shape['mechanism'], lag: number, options: Partial<Shape> = {}): Shape {
  return { mechanism, lag, refusedCounted: false, reset: 'oldest', latch: false, ...options };
}

const isCounter = ({ mechanism }: Shape): boolean => mechanism.startsWith('counter');
/** Whether requests leave the count gradually rather than with their window. */
export function slides(form: Shape): boolean {
  return form.mechanism === 'log' || isCounter(form);
}

/** With prior use, a counter has two more numbers to search for, so it is tried last. */
export const COUNTERS_LAST: readonly Shape[] = [
  ...SHAPES.filter((form) => !isCounter(form)),
  ...SHAPES.filter(isCounter),
];

/** Shapes that may explain decisions and Remaining if no marker shows that refusals are remembered. */
export const FORGETFUL: readonly Shape[] = SHAPES.filter(({ refusedCounted, latch }) => !refusedCounted && !latch);

/**
 * Shapes that may explain decisions and markers: not a counter that counts refusals and states no end of a bucket,
 * because its markers show almost nothing.
 */
export const MARKED: readonly Shape[] = SHAPES.filter(
  (form) => !(isCounter(form) && form.refusedCounted && form.marker !== undefined),
);

/** A way to count failed requests: groups that are counted, and groups that are left open. */
export interface Choice {
  readonly failedCounted: ReadonlySet<string>;
  readonly undecided: ReadonlySet<string>;
  readonly loose?: boolean;
}

/** The variant of a shape that counts failed requests in this way. */
export function variantOf(form: Shape, choice: Choice): Variant {
  const { refusedCounted, ...rest } = form;
  const counting: Counting = { ...choice, refusedCounted };
  return { ...rest, counting };
}
