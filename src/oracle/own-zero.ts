import { WINDOW } from './history.ts';

/** A marker of a budget, and when its answer came in µs of the run's clock. */
export interface Told {
  readonly key: string;
  readonly value: bigint;
  readonly answered: number;
}

/** A way to read markers whose zero is not known, from a value to µs of the run's clock. */
interface FromOwnZero {
  readonly name: string;
  /** In µs. */
  readonly unit: number;
  readonly place: (value: bigint) => number;
}

/** Names of units, and their lengths in µs. */
const LENGTHS = [
  ['seconds', 1e6],
  ['tenths of a second', 1e5],
  ['hundredths of a second', 1e4],
  ['milliseconds', 1e3],
  ['units of 100 µs', 100],
  ['units of 10 µs', 10],
  ['microseconds', 1],
  ['units of 100 ns', 0.1],
  ['units of 10 ns', 0.01],
  ['nanoseconds', 1e-3],
] as const;

/** How long an answer may be under way after its marker was made, in µs. */
const MOST_UNDER_WAY = 5_000_000;

/**
 * The least time that shows the unit of markers, in µs: in less, a unit that is much too short is one under which the
 * markers hardly move. A certification takes a little more.
 */
const LEAST_TIME = 2 * WINDOW;

/** The share of markers that are taken to be right, at either end, if not all of them are. */
const MOST_TELL = 0.95;

/**
 * The unit of markers that count from a moment of the server's own, such as its start. A marker lies within a window
 * after its answer, so under the right unit none is further ahead of its answer than another by more than a window. The
 * markers of fixed windows are also a window apart for each key. Where several units are left, that under which markers
 * run best with the time of their answers. The furthest marker is taken to be a window ahead.
 *
 * @returns `unknown` if the markers move, but in none of these units, or if too little time has passed to tell: the
 *   form of the marker is left open, so it may be another one; null if no budget has a marker
 */
export function readFromOwnZero(told: readonly Told[]): FromOwnZero | 'unknown' | null {
  const [first] = told;
  if (!first) return null;
  if (timeOf(told) < LEAST_TIME) return 'unknown';
  const step = leastStep(told);
  const units = LENGTHS.map(([name, unit]) => {
    const ahead = told
      .map(({ value, answered }) => Number(value - first.value) * unit - answered)
      .sort((one, other) => one - other);
    const at = (share: number): number => ahead[Math.round(share * (ahead.length - 1))] ?? 0;
    const most = at(1) - at(0) <= WINDOW + MOST_UNDER_WAY + unit ? at(1) : null;
    const isFixed = most !== null && Number.isFinite(step) && step * unit >= WINDOW - unit - MOST_UNDER_WAY;
    return { name, unit, isFixed, most, usually: at(MOST_TELL), spread: at(MOST_TELL) - at(1 - MOST_TELL) };
  });
  const able = units.filter(({ most }) => most !== null);
  if (able.length === 0 && Number.isFinite(step)) return 'unknown';
  const fixed = able.find(({ isFixed }) => isFixed);
  const { name, unit, most, usually } =
    fixed ?? (able.length > 0 ? able : units).reduce((one, other) => (other.spread < one.spread ? other : one));
  const zero = (most ?? usually) - WINDOW;
  return {
    name: `${name} since a moment of its own`,
    unit,
    place: (value) => Number(value - first.value) * unit - zero,
  };
}

/** The time from the first answer to the last one, in µs. */
function timeOf(told: readonly Told[]): number {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { answered } of told) {
    first = Math.min(first, answered);
    last = Math.max(last, answered);
  }
  return last - first;
}

/** The least distance between two markers of a key; infinite if none has two. */
function leastStep(told: readonly Told[]): number {
  const keys = Map.groupBy(told, ({ key }) => key);
  const steps = [...keys.values()].flatMap((own) => {
    const values = [...new Set(own.map(({ value }) => value))].sort((one, other) => (one < other ? -1 : 1));
    return values.slice(1).map((value, at) => Number(value - (values[at] ?? value)));
  });
  return steps.reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY);
}
