import { refusedWithSomeLeft } from '../../oracle/capacity.ts';
import type { Event } from '../../oracle/history.ts';
import type { SearchContext } from '../proposal.ts';
import { byMarker, isRefusedEarly, type World } from '../world.ts';

/**
 * The requests that were refused although some were left. If use by others explains the run, they may have spent what
 * an earlier answer had left, so only what a refusal says itself shows it.
 */
export function refusedEarly({ histories }: World, context: SearchContext): ReadonlySet<Event> {
  return new Set(
    histories.flatMap((history) =>
      isByOthers(context)
        ? history.events.filter(isRefusedEarly)
        : [...refusedWithSomeLeft(history), ...refusedInOpenWindows(history.events)],
    ),
  );
}

/**
 * The refusals in the middle of a window, whatever marker they state themselves: requests that were sent later were
 * accepted in it.
 */
function refusedInOpenWindows(events: readonly Event[]): readonly Event[] {
  const accepted = events.filter(({ outcome, reset }) => outcome === 'accepted' && reset !== null);
  const windows = [...byMarker(accepted).values()]
    .map((window) => {
      const sent = window.map(({ from }) => from);
      return { from: sent[0] ?? 0, last: sent.reduce((latest, each) => Math.max(latest, each)) };
    })
    .sort((one, other) => one.from - other.from);
  const refused = events.filter(({ outcome }) => outcome === 'refused').sort((one, other) => one.to - other.to);
  let next = 0;
  let last = Number.NEGATIVE_INFINITY;
  return refused.filter(({ to }) => {
    for (let window = windows[next]; window && window.from <= to; window = windows[++next]) {
      last = Math.max(last, window.last);
    }
    return to < last;
  });
}

/**
 * Those that only the accepted requests of their window show: what is left may be told wrongly. None if use by others
 * explains the run, or if no window accepted anything after a refusal: then a window is only spent sooner than it
 * should be.
 */
export function refusedInShortWindows({ histories }: World, context: SearchContext): readonly Event[] {
  if (isByOthers(context)) return [];
  const windows = histories.map((history) => ({ history, own: [...byMarker(history.events).values()] }));
  if (!windows.some(({ own }) => own.some((window) => refusedBeforeMore(window).length > 0))) return [];
  return windows.flatMap(({ history, own }) => own.flatMap((window) => inShortWindow(window, history.limit)));
}

/** Whether use of the keys by others explains the run. */
export function isByOthers({ mostBits = Number.POSITIVE_INFINITY }: SearchContext): boolean {
  return Number.isFinite(mostBits);
}

/**
 * The refusals of a window with fewer accepted requests than the limit, or those before a later accepted one: what
 * those took, or would have taken, was left.
 */
function inShortWindow(window: readonly Event[], limit: number): readonly Event[] {
  const refused = window.filter(({ outcome }) => outcome === 'refused');
  return window.length - refused.length < limit ? refused : refusedBeforeMore(window);
}

/** The refusals of a window that were answered before a request was sent that it accepted. */
function refusedBeforeMore(window: readonly Event[]): readonly Event[] {
  const last = window.reduce(
    (latest, { outcome, from }) => (outcome === 'accepted' ? Math.max(latest, from) : latest),
    Number.NEGATIVE_INFINITY,
  );
  return window.filter(({ outcome, to }) => outcome === 'refused' && to < last);
}
