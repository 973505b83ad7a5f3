import type { Stretches } from '../../deployment/deviations/other-limit.ts';
import { modulo } from '../../deployment/modulo.ts';
import { type Range, WINDOW } from '../../oracle/history.ts';
import { TICK } from '../episode.ts';
import { bitsOfNumber } from '../proposal.ts';

/** When something was decided (µs of the run's clock), and whether it lies in a stretch of time or outside of them. */
export interface Placed {
  readonly from: number;
  readonly to: number;
  readonly isIn: boolean;
}

/** Stretches of time, and the bits to state them. */
export interface Told {
  readonly stretches: Stretches;
  /** The earliest and the latest that part the same. */
  readonly bounds: readonly Stretches[];
  readonly bits: number;
}

/** Windows come in turns of so many at most: of longer ones, few runs see a second. */
const MOST_TURN = 5;

/**
 * The stretches of time that part what lies in them from the rest, those of fewest bits first: from a moment on, up to
 * one, or between two; or so many windows in each turn of some.
 *
 * @param time of the run, in µs of its clock
 * @param begins when windows begin (µs of the run's clock, or whole windows away from it); null: they have no beat
 */
export function stretchesOf(placed: readonly Placed[], time: Range, begins: Range | null): readonly Told[] {
  const within = placed.filter(({ isIn }) => isIn);
  const outside = placed.filter(({ isIn }) => !isIn);
  const [anchor] = outside;
  if (within.length === 0 || !anchor) return [];
  const once = parted(within, outside);
  const found = once ? [onlyOnce(once, time)] : [];
  for (let turn = 2; turn <= MOST_TURN; turn++) {
    const every = turn * WINDOW;
    const fold = (each: Placed): Placed => {
      const from = modulo(each.from - anchor.from, every);
      return { ...each, from, to: from + each.to - each.from };
    };
    const ends = parted(within.map(fold), outside.map(fold));
    if (!ends) continue;
    for (let windows = 1; windows < turn; windows++) {
      const lasts = windows * WINDOW;
      // The turn ends with what it was counted from.
      const low = Math.max(ends.first.low, ends.last.low - lasts);
      const high = Math.min(ends.first.high, ends.last.high - lasts, every - lasts);
      if (low > high) continue;
      const [earliest, latest] = [anchor.from + low, anchor.from + high];
      const beat = begins && nextBeat(begins, earliest);
      const isOnBeat = beat !== null && beat <= latest;
      found.push({
        stretches: { at: modulo(isOnBeat ? beat : (earliest + latest) / 2, every), lasts, every },
        bounds: [earliest, latest].map((at) => ({ at, lasts, every })),
        bits:
          bitsOfNumber(turn - 2) + Math.log2(turn - 1) + (isOnBeat ? Math.log2(turn) : 1 + bitsOfEnd(every, low, high)),
      });
    }
  }
  return found.sort((one, other) => one.bits - other.bits);
}

/** When stretches of time can begin and end, in µs: infinite where nothing lies before or after them. */
interface Ends {
  readonly first: Range;
  readonly last: Range;
}

/** The ends of one stretch that has all of these within, and the others outside; null: there is none. */
function parted(within: readonly Placed[], outside: readonly Placed[]): Ends | null {
  const begun = within.reduce((least, { to }) => Math.min(least, to), Number.POSITIVE_INFINITY);
  const going = within.reduce((most, { from }) => Math.max(most, from), Number.NEGATIVE_INFINITY);
  let low = Number.NEGATIVE_INFINITY;
  let high = Number.POSITIVE_INFINITY;
  for (const { from, to } of outside) {
    if (from <= begun) low = Math.max(low, from);
    else if (to >= going) high = Math.min(high, to);
    else return null;
  }
  return { first: { low, high: begun }, last: { low: going, high } };
}

/** A single stretch. Its ends are known to lie between two answers. */
function onlyOnce({ first, last }: Ends, { low, high }: Range): Told {
  const begins = Number.isFinite(first.low) ? first : { low, high: low };
  const ends = Number.isFinite(last.high) ? last : null;
  const from = (at: number, end: number): Stretches => (ends ? { at, lasts: end - at } : { at });
  return {
    stretches: from((begins.low + begins.high) / 2, (last.low + last.high) / 2),
    bounds: [from(begins.low, last.low), from(begins.high, last.high)],
    bits: [...(begins === first ? [first] : []), ...(ends ? [ends] : [])].reduce(
      (sum, each) => sum + bitsOfEnd(high - low, each.low, each.high),
      0,
    ),
  };
}

/** Bits to state a moment of some time that lies between two others. */
function bitsOfEnd(time: number, low: number, high: number): number {
  return Math.max(0, Math.log2(time / Math.max(TICK, high - low)));
}

/** The first beginning of a window that may not lie before a moment. */
function nextBeat({ low, high }: Range, moment: number): number {
  return Math.max(moment, low + Math.ceil((moment - high) / WINDOW) * WINDOW);
}
