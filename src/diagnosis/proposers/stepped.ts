import { type History, WINDOW } from '../../oracle/history.ts';
import { shape } from '../../oracle/shapes.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { changed, type World, withEvents } from '../world.ts';
import { areOnlyMarkersWrong, UNJUDGED_BITS } from './moved.ts';

const SECOND = 1_000_000;

/** Lengths of steps that divide a minute, in s, shortest first. */
const STEPS = [3, 4, 5, 6, 7.5, 10, 12, 15, 20, 30];

/** Bits to state which mechanism it is. */
const KIND_BITS = 2;

/** Bits for steps that begin whenever it suits: each request leaves when it may. */
const ANY_TIME_BITS = 24;

/**
 * A sliding log that takes the requests of each step of time as one, and drops them a minute after the step began. When
 * steps begin is stated to a second: for all budgets, or if that explains nothing, for each. Steps of other lengths are
 * bounded by those that begin at any time.
 */
export function* proposeSteps(world: World, { kind, fitter }: SearchContext): Iterable<Proposal> {
  if (world.window !== WINDOW || !world.layers.remaining) return;
  if (areOnlyMarkersWrong(world, fitter)) return;
  // Shorter steps leave less open than longer ones.
  const refuted = STEPS.findLastIndex((seconds) => !fitter.fit(keptFor(world, seconds * SECOND)));
  for (const seconds of STEPS.slice(refuted + 1)) {
    const step = seconds * SECOND;
    const proposed = (bits: number, under: World): Proposal => ({
      deviations: [
        {
          operator: 'other-mechanism',
          parameters: { kinds: [kind], name: 'stepped window', burst: 1, marker: 'next', step },
        },
      ],
      bits: DEVIATION_BITS + KIND_BITS + UNJUDGED_BITS + Math.log2(STEPS.length) + bits,
      world: under,
    });
    const fits = (history: History): boolean =>
      fitter.fit({ ...keptFor(world, step, 0), histories: [history] }) !== null;
    const starts = startsOf(world.histories, step, fits);
    if (starts) {
      const bits = Math.log2(seconds) * new Set(starts).size;
      const at = new Map(world.histories.map((history, index) => [history, starts[index] ?? 0]));
      yield proposed(
        bits,
        changed(keptFor(world, step, 0), (history) => inSteps(history, step, at.get(history) ?? 0)),
      );
    }
    yield proposed(ANY_TIME_BITS + Math.log2(seconds), keptFor(world, step));
  }
}

/**
 * The world in which a log keeps each request for a minute less a step, or for a minute, or for any time between.
 *
 * @param lag how far the time may differ from the middle between these, in µs
 */
function keptFor(world: World, step: number, lag = step / 2): World {
  return {
    ...world,
    layers: { ...world.layers, reset: false },
    window: WINDOW - step / 2,
    shapes: [shape('log', lag), shape('log', lag, { refusedCounted: true })],
  };
}

/**
 * When the first step of each budget begins, in µs of the run's clock: at the same time for all if that explains them.
 * Null if no time explains one of them.
 */
function startsOf(
  histories: readonly History[],
  step: number,
  fits: (history: History) => boolean,
): readonly number[] | null {
  const all = Array.from({ length: Math.ceil(step / SECOND) }, (_, at) => at * SECOND);
  let common: readonly number[] = all;
  const own: number[] = [];
  for (const history of histories) {
    const shared = common.filter((start) => fits(inSteps(history, step, start)));
    const [start] = shared.length > 0 ? shared : all.filter((each) => fits(inSteps(history, step, each)));
    if (start === undefined) return null;
    own.push(start);
    common = shared;
  }
  const [start] = common;
  return start === undefined ? own : own.map(() => start);
}

/**
 * How much of the time within a step is kept: so little that no request leaves within a step, and all stay in order.
 */
const WITHIN_STEP = 1e-3;

/** The history with the requests of each step at its beginning. A start is known to half a second. */
function inSteps(history: History, step: number, start: number): History {
  const at = (time: number): number => {
    const begun = start + Math.floor((time - start) / step) * step;
    return begun + (time - begun) * WITHIN_STEP;
  };
  return withEvents(history, ({ countedBy, ...event }) => ({
    ...event,
    from: at(event.from - SECOND / 2),
    to: at(event.to + SECOND / 2),
    ...(countedBy === undefined ? {} : { countedBy: at(countedBy + SECOND / 2) }),
  }));
}
