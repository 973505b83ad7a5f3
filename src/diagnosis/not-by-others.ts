import { below, upTo } from '../oracle/ascending.ts';
import { type Event, type History, WINDOW } from '../oracle/history.ts';
import { byMarker, timesOf } from './world.ts';

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
    const answered = firstAnswer(window);
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

/**
 * Whether requests were accepted after refusals with the same marker, in more than one case, of this kind or of both.
 * In fixed windows the count of a window never falls, whoever adds to it, so use by others explains none of these. A
 * failed request may be taken off the count again: nobody sees those of others, so once may be a coincidence; and no
 * refusal counts while one of the key's own is under way.
 */
export function acceptsAfterRefusals(histories: readonly History[], otherKind: readonly History[] = []): boolean {
  const own = acceptedAfterRefusals(histories);
  return own > 0 && own + acceptedAfterRefusals(otherKind) > 1;
}

function acceptedAfterRefusals(histories: readonly History[]): number {
  const times = histories.flatMap(({ events }) => {
    const failing = events.filter(({ outcome }) => outcome === 'failed' || outcome === 'unclear');
    const { sent, answered } = timesOf(failing);
    const isBeside = ({ from, to }: Event): boolean => below(sent, to) > upTo(answered, from);
    return [...byMarker(events).values()].map((window) => acceptedAfter(window, isBeside));
  });
  return times.reduce((sum, each) => sum + each, 0);
}

/**
 * How often something was accepted after a refusal, in one window. A refusal counts if the window had begun when it was
 * sent, as an answer with its marker showed: headers may be read when an answer is written.
 *
 * @param isBeside whether a failed request of the key was under way with it
 */
function acceptedAfter(window: readonly Event[], isBeside: (event: Event) => boolean): number {
  const begun = firstAnswer(window);
  let refused = Number.POSITIVE_INFINITY;
  let times = 0;
  for (const event of window) {
    if (event.outcome === 'accepted' && event.from > refused) {
      times += 1;
      refused = Number.POSITIVE_INFINITY;
    }
    if (event.outcome === 'refused' && event.from > begun && !isBeside(event)) refused = Math.min(refused, event.to);
  }
  return times;
}

/** When the first answer of a window came, in µs of the run's clock. */
function firstAnswer(window: readonly Event[]): number {
  return window.reduce((least, { to }) => Math.min(least, to), Number.POSITIVE_INFINITY);
}
