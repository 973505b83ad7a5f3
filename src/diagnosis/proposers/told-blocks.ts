import { SECOND } from '../../deployment/deployment.ts';
import { type Event, type History, likelyOffset } from '../../oracle/history.ts';
import { isRefusal, TOLERANCE } from './window-parts.ts';

/** Usual times for which keys over their limit are blocked, in µs. */
export const BLOCKS = [4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 45, 60, 90, 120].map((seconds) => seconds * SECOND);

/** Refusals that a key usually has before it is blocked, where it is not the first and no marker tells. */
const STRIKES = [2, 3, 5];

/** What to try: usual lengths of blocks and those that markers tell; refusals but the first that may begin one. */
export function blocksToTry(histories: readonly History[]): ToldBlocks {
  const told = toldBlocks(histories);
  const strikes = told.strikes.filter((nth) => nth > 1);
  return { lengths: [...new Set([...BLOCKS, ...told.lengths])], strikes: strikes.length > 0 ? strikes : STRIKES };
}

/** What the markers of refusals tell of blocks: how long they last (µs), and at which refusal of a window they begin. */
export interface ToldBlocks {
  readonly lengths: readonly number[];
  readonly strikes: readonly number[];
}

/**
 * A block shows where some refusals of a window state a later end than the requests that it accepted. The first of them
 * shows how long it lasts, or the first refusal of all does if the old end is told until it has passed; the number of
 * those that still state the old end, in this window or since the last block, shows which refusal began it.
 */
export function toldBlocks(histories: readonly History[]): ToldBlocks {
  const lengths: number[] = [];
  const strikes: number[] = [];
  for (const history of histories) {
    const { offset, unit } = history;
    /** The refusals in windows before, since the last block. */
    let earlier = 0;
    for (const { end, refused } of refusalsOf(history)) {
      const isLater = ({ reset }: Event): boolean => (reset ?? 0) > end + TOLERANCE + (unit ?? 0);
      const first = refused.find(isLater);
      if (!first) {
        earlier += refused.length;
        continue;
      }
      const until = (first.reset ?? 0) - likelyOffset(offset);
      const [earliest = first] = refused;
      for (const { from, to } of new Set([first, earliest])) {
        lengths.push(Math.max(1, Math.round((until - (from + to) / 2) / SECOND)) * SECOND);
      }
      const isBefore = (event: Event): boolean => (event.reset === null ? event.from < first.from : !isLater(event));
      const nth = 1 + refused.filter(isBefore).length;
      strikes.push(...new Set([nth, earlier + nth]));
      earlier = 0;
    }
  }
  return { lengths: mostOften(lengths), strikes: mostOften(strikes) };
}

/** Markers that follow another rule show many numbers, which would all be tried in vain. */
const MOST_TRIED = 3;

/** The numbers that occur most often, a few at most. */
function mostOften(numbers: readonly number[]): readonly number[] {
  const found = [...Map.groupBy(numbers, (number) => number)].sort(([, one], [, other]) => other.length - one.length);
  return found.slice(0, MOST_TRIED).map(([number]) => number);
}

/** The refusals of one window. */
interface Refusals {
  /** The end that the last accepted request before them stated, in µs of the markers. */
  readonly end: number;
  readonly refused: readonly Event[];
}

/** The refusals of each window in which some were accepted: the next one begins with what is accepted after them. */
function refusalsOf({ events }: History): readonly Refusals[] {
  const found: Refusals[] = [];
  let refused: Event[] = [];
  let answered = Number.NEGATIVE_INFINITY;
  let end: number | null = null;
  const close = (): void => {
    if (end !== null && refused.length > 0) found.push({ end, refused });
    refused = [];
    end = null;
  };
  for (const event of events) {
    if (event.outcome === 'accepted') {
      if (event.reset === null) continue;
      if (event.from > answered && refused.length > 0) close();
      end = Math.max(end ?? event.reset, event.reset);
    } else if (isRefusal(event)) {
      refused.push(event);
      answered = Math.max(answered, event.to);
    }
  }
  close();
  return found;
}
