import { type History, WINDOW } from '../oracle/history.ts';
import { byMarker } from './world.ts';

/**
 * Whether more requests than the limit were accepted with one marker, within a minute. No use by others explains this,
 * and no window does unless the marker is wrong. Requests sent before the first answer with a marker may have been
 * counted in the window before, if headers are read when the answer is written.
 */
export function letsTooManyThrough({ events, limit }: History): boolean {
  const windows = byMarker(events.filter(({ outcome }) => outcome === 'accepted'));
  const inTurn = [...windows].sort(([one], [other]) => one - other);
  return inTurn.some(([marker, window], at) => {
    const follows = marker - (inTurn[at - 1]?.[0] ?? Number.NEGATIVE_INFINITY) < WINDOW + MOST_UNDER_WAY;
    const answered = window.reduce((least, { to }) => Math.min(least, to), Number.POSITIVE_INFINITY);
    const own = follows ? window.filter(({ from }) => from > answered) : window;
    const [first] = own;
    const last = own.at(-1);
    return first && last && own.length > limit && last.to - first.from < WINDOW;
  });
}

/**
 * The longest time that a request is under way, in µs: a window of its key that begins later cannot have been read for
 * it.
 */
const MOST_UNDER_WAY = 5_000_000;
