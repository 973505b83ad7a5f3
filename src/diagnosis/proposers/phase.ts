import { FINEST } from '../../oracle/candidates.ts';
import { DECISIONS } from '../../oracle/check.ts';
import { explainsFrom } from '../../oracle/explain.ts';
import { type Event, type History, type Range, WINDOW } from '../../oracle/history.ts';
import { phaseByMarkers } from '../../oracle/marker-phase.ts';
import type { Variant } from '../../oracle/variant.ts';
import type { Work } from '../../oracle/work.ts';
import { isDecided } from '../world.ts';

/**
 * How many gaps between answers are tried, the widest first. A boundary in a narrower one costs as much as in the last
 * of these.
 */
const MOST_GAPS = 64;

/**
 * Bits to state when windows of a minute on a grid begin: the share of the widest gap between answers in which a
 * boundary may lie. None if they begin with those of the main limit. Shorter windows begin with the clock's seconds.
 */
export function bitsOfPhase(
  variant: Variant,
  history: History,
  window: number,
  main: readonly History[],
  work: Work,
): number {
  if (window !== WINDOW || variant.mechanism !== 'grid') return 0;
  const mayBegin = (start: Range): boolean => explainsFrom(start, variant, history, DECISIONS, window, work);
  if (main.flatMap((each) => phaseByMarkers(each) ?? []).some(mayBegin)) return 0;
  const gaps = gapsIn(history.events.filter(isDecided), window).slice(0, MOST_GAPS);
  const found = gaps.find(({ low, high }) => {
    const middle = (low + high) / 2;
    return mayBegin({ low: middle - FINEST / 2, high: middle + FINEST / 2 });
  });
  const { low, high } = found ?? gaps.at(-1) ?? { low: 0, high: window };
  return Math.max(0, Math.log2(window / Math.max(1, high - low)));
}

/** The times between requests, in a circle of one window, the longest first: µs after some beginning of a window. */
export function gapsIn(events: readonly Pick<Event, 'from' | 'to'>[], window: number): readonly Range[] {
  const around = events.map(({ from, to }) => ({ low: from % window, high: (from % window) + to - from }));
  const inTurn = around.sort((one, other) => one.low - other.low);
  const gaps: Range[] = [];
  let end = inTurn.reduce((latest, { high }) => Math.max(latest, high - window), Number.NEGATIVE_INFINITY);
  for (const { low, high } of inTurn) {
    if (low > end) gaps.push({ low: end, high: low });
    end = Math.max(end, high);
  }
  return gaps.sort((one, other) => other.high - other.low - (one.high - one.low));
}
