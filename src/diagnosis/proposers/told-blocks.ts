import { SECOND } from '../../deployment/deployment.ts';
import { type Event, type History, likelyOffset } from '../../oracle/history.ts';
import { isRefusal, TOLERANCE } from './window-parts.ts';

/** What the markers of refusals tell of blocks: how long they last (µs), and at which refusal of a window they begin. */
export interface ToldBlocks {
  readonly lengths: readonly number[];
  readonly strikes: readonly number[];
}

/**
 * A block shows where some refusals of a window state a later end than the requests that it accepted: the first of them
 * shows how long it lasts, and the number of those that still state the old end, which refusal began it.
 */
export function toldBlocks(histories: readonly History[]): ToldBlocks {
  const lengths: number[] = [];
  const strikes: number[] = [];
  for (const { end, refused, offset, unit } of histories.flatMap(refusalsOf)) {
    const isLater = ({ reset }: Event): boolean => (reset ?? 0) > end + TOLERANCE + (unit ?? 0);
    const first = refused.find(isLater);
    if (!first) continue;
    const lead = (first.reset ?? 0) - likelyOffset(offset) - (first.from + first.to) / 2;
    lengths.push(Math.max(1, Math.round(lead / SECOND)) * SECOND);
    const isBefore = (event: Event): boolean => (event.reset === null ? event.from < first.from : !isLater(event));
    strikes.push(1 + refused.filter(isBefore).length);
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
interface Refusals extends Pick<History, 'offset' | 'unit'> {
  /** The end that the last accepted request before them stated, in µs of the markers. */
  readonly end: number;
  readonly refused: readonly Event[];
}

/** The refusals of each window in which some were accepted: the next one begins with what is accepted after them. */
function refusalsOf({ events, offset, unit }: History): readonly Refusals[] {
  const found: Refusals[] = [];
  let refused: Event[] = [];
  let answered = Number.NEGATIVE_INFINITY;
  let end: number | null = null;
  const close = (): void => {
    if (end !== null && refused.length > 0) found.push({ end, refused, offset, unit });
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
