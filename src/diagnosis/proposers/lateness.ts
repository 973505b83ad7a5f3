import { ascending, below, numbersOf } from '../../oracle/ascending.ts';
import { type Event, type History, likelyOffset } from '../../oracle/history.ts';
import { byWindow, changed, type World, withEvents } from '../world.ts';
import type { Loss } from './losses.ts';

/**
 * How late requests are counted, and how many answered requests were not yet seen by those that followed so soon, each
 * time.
 */
export interface Lateness {
  /** µs from the answer of a request until all later requests see it: at the least, and at the most. */
  readonly lag: number;
  readonly most: number;
  readonly losses: readonly Loss[];
  /**
   * Whether some requests of a window saw much of what others before them had not: else it may never have been counted.
   */
  readonly catchesUp: boolean;
}

/** How long requests usually take to be counted at the most, in µs: longer than any answer takes. */
export const LONGEST_LAG = 2_000_000;

/**
 * The same where nodes tell each other every few seconds what they have counted, in µs: five, and some time on the way.
 */
export const LONGEST_SYNC = 6_000_000;

/**
 * The longest time that was seen is hardly the longest there was: LAG_BITS state it as exactly as one of 128 lengths,
 * which is about so exactly for most.
 */
const LATER = 1.05;

/** An accepted request, with the number of requests answered before it that it did not see. */
interface Late {
  readonly from: number;
  /** The times of those answers, in order (µs). */
  readonly answered: Float64Array;
  readonly unseen: number;
  /** How long before this request the first answer came whose request it did not see, in µs; 0 if it saw all. */
  readonly age: number;
  /**
   * How long before it the last answer came whose request it saw, if they are seen in the order of their answers, in
   * µs.
   */
  readonly seen: number;
  /** Whether all of these are of one window, as their markers state. */
  readonly isOneWindow: boolean;
  /** Whether it saw at least half of the most that any request of the window had not seen before. */
  readonly isCaughtUp: boolean;
}

/**
 * Null if each request saw all that had been answered before it was sent, or if some are not seen for so long that they
 * are not late, but never counted.
 *
 * @param window length of the window, in µs
 * @param longest a request counted later than this many µs after its answer is one that is never counted
 */
export function latenessOf(histories: readonly History[], window: number, longest = LONGEST_LAG): Lateness | null {
  const late = histories.map((history) => lateIn(history, window, longest));
  const isNeverSeen = ({ age, isOneWindow }: Late): boolean => isOneWindow && age > longest && age <= window;
  if (late.flat().some(isNeverSeen)) return null;
  const lag = late.flat().reduce((most, { age }) => (age > longest ? most : Math.max(most, age)), 0);
  if (lag === 0) return null;
  const losses = late.map((own) =>
    own.reduce(
      (sum, { from, answered, unseen }) => {
        const before = below(answered, from);
        const recent = before - below(answered, from - lag);
        return { lost: sum.lost + Math.min(unseen, recent), of: sum.of + recent };
      },
      { lost: 0, of: 0 },
    ),
  );
  const most = late.flat().reduce((least, { seen }) => Math.min(least, seen), longest);
  const catchesUp = late.flat().some(({ isCaughtUp }) => isCaughtUp);
  return { lag, most: Math.max(LATER * lag, most), losses: losses.filter(({ of }) => of > 0), catchesUp };
}

/** Whether answers say what was left before their own requests were counted: some request leaves all. */
export function isToldBeforeItself({ events, shown }: History): boolean {
  return events.some(({ outcome, remaining }) => outcome === 'accepted' && remaining === shown);
}

/** As if each Remaining of these were told before its own request was counted. */
export function beforeItself(world: World, outcomes: ReadonlySet<Event['outcome']>): World {
  return changed(world, (history) =>
    withEvents(history, (event) =>
      event.remaining !== null && outcomes.has(event.outcome)
        ? { ...event, remaining: Math.max(0, event.remaining - 1) }
        : event,
    ),
  );
}

function lateIn({ events, shown, offset, unit }: History, window: number, longest: number): readonly Late[] {
  const accepted = events.filter(({ outcome, remaining }) => outcome === 'accepted' && remaining !== null);
  const told = accepted.some(({ reset }) => reset !== null) ? byWindow(accepted, window, unit) : null;
  return (told ?? [accepted]).flatMap((own) => {
    const sent = numbersOf(own, ({ from }) => from);
    const answered = ascending(numbersOf(own, ({ to }) => to));
    // Others may have been counted with them.
    const doubtful = Float64Array.from(
      events.filter(({ outcome }) => outcome !== 'accepted' && outcome !== 'refused'),
      ({ from }) => from,
    );
    const found = own.map(({ from, remaining, reset }): Omit<Late, 'isCaughtUp'> => {
      // Remaining includes the requests that it saw. Those sent more than a window ago may have left the count.
      const before = below(answered, from);
      const unseen = before - below(sent, from - window) - (shown - 1 - (remaining ?? 0));
      const age = unseen <= 0 ? 0 : from - (answered[before - unseen] ?? from);
      const last = before - unseen - 1 - (below(doubtful, from) - below(doubtful, from - window));
      // What was counted in the window before may be seen in place of what was not.
      const isNew = reset !== null && from < reset - likelyOffset(offset) - window + longest;
      const seen = unseen < 0 || isNew ? Number.POSITIVE_INFINITY : from - (answered[last] ?? Number.NEGATIVE_INFINITY);
      return { from, answered, unseen: Math.max(0, unseen), age, seen, isOneWindow: told !== null };
    });
    const most = found.reduce((more, { unseen }) => Math.max(more, unseen), 0);
    const at = found.findIndex(({ unseen }) => unseen === most);
    return found.map((each, index): Late => ({ ...each, isCaughtUp: index > at && each.unseen <= most / 2 }));
  });
}
