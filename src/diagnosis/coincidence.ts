import { FINEST } from '../oracle/candidates.ts';
import { explainsFrom } from '../oracle/explain.ts';
import { anyCounting, groupsOf } from '../oracle/failed-groups.ts';
import type { History, Range } from '../oracle/history.ts';
import { type Shape, variantOf } from '../oracle/shapes.ts';
import { HOSTS_APART } from '../oracle/windows.ts';
import { unlessSpent, Work } from '../oracle/work.ts';
import type { Conforming, Examined } from './diagnose.ts';
import { Fitter } from './fitter.ts';
import { bitsOfShape, DEVIATION_BITS } from './proposal.ts';
import { gapsIn } from './proposers/phase.ts';
import { conformingWorld, type World } from './world.ts';

/**
 * A boundary of windows this close to a request may lie within it, in µs: it is placed to within `FINEST`, and the
 * clocks of hosts differ.
 */
const CLOSE = FINEST + HOSTS_APART;

/**
 * With more pauses between requests, none is tried: in a run so long, requests are under way at most times of a minute.
 */
const MOST_PAUSES = 8;

/** Bound of work to find the bits of a coincidence, in events. Beyond it, none is assumed. */
const MOST_WORK = 1_000_000;

/** With fewer bits for each of two kinds, no deviation of both is cheaper. */
const LEAST = DEVIATION_BITS / 2;

/** A conforming explanation that rests on a coincidence is compared with deviations, which may be likelier. */
export function withCoincidence(examined: Examined): Examined {
  const { diagnosis } = examined;
  const { conforming, world } = diagnosis;
  if (conforming?.coincidence !== undefined) return examined;
  const coincidence = conforming ? bitsOfCoincidence(conforming) : 0;
  if (!conforming || coincidence < LEAST) return examined;
  return { diagnosis: { ...diagnosis, conforming: { ...conforming, coincidence } }, likely: world.shapes };
}

/**
 * Bits of the coincidence on which a conforming explanation rests: that windows of which no marker tells begin just
 * while requests of their budget are under way. What such a request saw is open, so a burst around a boundary shows
 * little of what was counted. By chance, one boundary in so many lies there: the window, divided by the times at which
 * requests are under way (the probability of what a description leaves out is 2 to the power of minus its bits). 0 if
 * some mechanism needs no coincidence.
 */
export function bitsOfCoincidence({ fit, histories }: Pick<Conforming, 'fit' | 'histories'>): number {
  const world = conformingWorld(histories);
  const work = new Work(MOST_WORK);
  const least = (): number => {
    const own = bitsUnder(fit.shape, world, work);
    if (own < LEAST) return own;
    const others = world.shapes.filter((shape) => shape !== fit.shape);
    let bits = own;
    for (const { shape } of new Fitter(work).all({ ...world, shapes: others })) {
      bits = Math.min(bits, bitsUnder(shape, world, work));
      if (bits < LEAST) break;
    }
    return bits;
  };
  return unlessSpent(least, 0);
}

/** Bits to state a conforming explanation: its mechanism, and the coincidence on which it rests. */
export function bitsOfConforming({ fit, coincidence = 0 }: Conforming): number {
  return bitsOfShape(fit.shape) + coincidence;
}

/**
 * Bits of the coincidence under one mechanism that explains all histories of a world.
 *
 * @param told whether to include boundaries that markers tell, which then lie there by chance within what a marker
 *   leaves open. Those of a conforming deployment are not, because some bursts are sent around the end that a marker
 *   tells.
 */
export function bitsUnder(shape: Shape, world: World, work: Work, told = false): number {
  return world.histories.reduce((bits, history) => bits + bitsOfBudget(shape, history, world, work, told), 0);
}

function bitsOfBudget(shape: Shape, history: History, { layers, window }: World, work: Work, told: boolean): number {
  const { events, prior } = history;
  const hasPhase = shape.mechanism === 'grid' || shape.mechanism === 'counter' || prior !== undefined;
  if (!hasPhase || shape.mechanism === 'log') return 0;
  const isTold = shape.marker === undefined && events.some(({ reset }) => reset !== null);
  if (isTold && !told) return 0;
  const busy = events.map(({ from, to }) => ({ from: from - CLOSE, to: to + CLOSE }));
  const pauses = gapsIn(busy, window);
  const open = isTold ? Math.min(window, precisionOf(history)) : window;
  const bitsIf = (refuted: readonly Range[]): number =>
    Math.max(0, Math.log2(open / Math.max(1, window - sumOf(refuted))));
  if (bitsIf(pauses) === 0 || pauses.length > MOST_PAUSES) return 0;
  const variant = variantOf(shape, anyCounting(groupsOf([history])));
  return bitsIf(pauses.filter((pause) => !explainsFrom(pause, variant, history, layers, window, work)));
}

function sumOf(ranges: readonly Range[]): number {
  return ranges.reduce((sum, { low, high }) => sum + high - low, 0);
}

/**
 * How far apart the ends may lie that markers tell, in µs: rounded down or up, by a clock of which the `Date` tells.
 */
function precisionOf({ unit, offset }: History): number {
  return 2 * (unit ?? 0) + offset.high - offset.low;
}
