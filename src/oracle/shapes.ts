import type { Counting } from './census.ts';
import type { Variant } from './explain.ts';

const WHOLE_SECOND = 1_000_000;

/** A mechanism with all of its options but how failed requests are counted. */
export type Shape = Pick<Variant, 'mechanism' | 'lag' | 'reset' | 'marker' | 'latch'> & {
  readonly refusedCounted: boolean;
};

/** From the simplest to the most permissive, so that the first survivor is the best name. */
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
  shape('counter, anchored', lag, { refusedCounted: true }),
  shape('counter', lag, { refusedCounted: true, marker: 'slot' }),
  shape('counter, anchored', lag, { refusedCounted: true, marker: 'slot' }),
]);

export function shape(mechanism: Shape['mechanism'], lag: number, options: Partial<Shape> = {}): Shape {
  return { mechanism, lag, refusedCounted: false, reset: 'oldest', latch: false, ...options };
}

const isCounter = ({ mechanism }: Shape): boolean => mechanism.startsWith('counter');
/** With prior use a counter has two numbers more to search for, so that it is tried when the rest has failed. */
export const COUNTERS_LAST: readonly Shape[] = [
  ...SHAPES.filter((form) => !isCounter(form)),
  ...SHAPES.filter(isCounter),
];

/**
 * Those of some shapes that allow all that the others do: a clock that ticks in whole seconds allows what an exact one does,
 * and a limiter that remembers refusals what another does. What these do not explain, none does. (Not so of counters, of
 * which a coarser clock leaves more bursts about a boundary to be told apart: there both clocks have to be tried.)
 */
export function widestOf(shapes: readonly Shape[]): readonly Shape[] {
  const names = new Set(shapes.filter(({ latch }) => latch).map((form) => nameOf({ ...form, latch: false })));
  return shapes.filter((form) => (form.lag > 0 || isCounter(form)) && !names.has(nameOf(form)));
}

function nameOf({ mechanism, lag, reset, marker, latch, refusedCounted }: Shape): string {
  return JSON.stringify([mechanism, lag, reset, marker, latch, refusedCounted]);
}

/**
 * What may explain decisions where nothing explains the whole history. A counter, or a log that takes in refusals, can
 * explain nearly any decisions: unless a header speaks for them, they excuse nothing.
 */
export const PLAIN: readonly Shape[] = SHAPES.filter(
  ({ mechanism, refusedCounted }) => !refusedCounted && ['grid', 'anchored', 'log'].includes(mechanism),
);

/** What may explain decisions and Remaining where no marker speaks for a memory of refusals. */
export const FORGETFUL: readonly Shape[] = SHAPES.filter(({ refusedCounted, latch }) => !refusedCounted && !latch);

/** What may explain decisions and markers: not a counter that takes in refusals and names any slot, of which the marker says next to nothing. */
export const MARKED: readonly Shape[] = SHAPES.filter(
  (form) => !(isCounter(form) && form.refusedCounted && form.marker === 'slot'),
);

/** Where these do not: Remaining may speak for a log that takes in refusals, with markers of which nothing can be made. */
export const LOGS_OF_REFUSALS: readonly Shape[] = SHAPES.filter(
  ({ mechanism, refusedCounted }) => mechanism === 'log' && refusedCounted,
);

/**
 * Enough to tell whether any shape explains a history: the usual ones, and the widest; those last that have a phase to be
 * searched for and much else.
 */
export const QUICKEST_FIRST: readonly Shape[] = [
  ...SHAPES.slice(0, 3),
  ...widestOf(SHAPES).filter(({ mechanism }) => mechanism !== 'counter'),
  ...widestOf(SHAPES).filter(({ mechanism }) => mechanism === 'counter'),
];

/** A way to count failed requests: groups that are counted, and groups of which it is left open. */
export interface Choice {
  readonly failedCounted: ReadonlySet<string>;
  readonly undecided: ReadonlySet<string>;
  readonly loose?: boolean;
}

/** No failed request is counted. */
export const NONE: Choice = { failedCounted: new Set(), undecided: new Set() };

/** The variant of a shape that counts failed requests in this way. */
export function variantOf(form: Shape, choice: Choice): Variant {
  const { refusedCounted, ...rest } = form;
  const counting: Counting = { ...choice, refusedCounted };
  return { ...rest, counting };
}
