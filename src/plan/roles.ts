import { LIMITS, WINDOW_S } from '../catalogue/limits.ts';
import type { Kind } from '../trace/exchange.ts';

/**
 * What is done with one budget (a key's reads or its writes) over two windows. Each role shows what the others cannot:
 *
 * - `alpha`: a burst on the cold key, pulses, every way of evasion on the spent budget, polling until it is back, and the
 *   second window spent at once: races, counting, scope, the window's length, what happens from the second window on
 * - `beta`: spent by one burst and then left in silence, the second time until well past the end: an expiry that refusals or
 *   polls would push forward stands out, and entries that are thrown out only after the next request; and last, a burst down a
 *   single connection
 * - `gamma`: spent just before the marker and again just after: faults that live at the boundary
 * - `delta`: a few requests on the cold key, an idle gap over the window's end, one more, and then all at once: windows
 *   anchored at a request against a grid of the key's own, what is left of old counts, and of what was not used
 *
 * Where nothing was selected that needs a window's end, there is only `brief`: one window, spent as soon as it has room, and
 * every way of evasion on the spent budget.
 */
export type Role = 'alpha' | 'beta' | 'gamma' | 'delta' | 'brief';

/** How far over the limit a burst goes: enough for a race to show, few enough to be cheap. */
export const OVERSHOOT = 10;

/** Steps of a track whose burst is as large as the limit and the overshoot, whatever was answered before. */
export const FULL_BURSTS: ReadonlySet<string> = new Set([
  'spend-cold',
  'second-window',
  'after-boundary',
  'spend-idle',
  'one-connection',
]);
/** Other operations of the kind that are tried on a spent budget. */
export const MOST_OTHERS = 20;

/** The step that ends a track of each role, where its budget came back; null: its end is that of what it tries on a spent budget. */
export const LAST_STEP: Readonly<Record<Role, 'back' | 'end' | null>> = {
  alpha: 'back',
  beta: 'end',
  gamma: 'back',
  delta: 'end',
  brief: null,
};

/** Requests of the preflight at most: a network that resets one connection in five may still be tested through. */
export const PREFLIGHT_REQUESTS = 4;

/** How often, in one experiment, a single request is sent again that no answer came to. */
export const REPEATS = 10;

/**
 * Arbitrary single requests of a run: enough that each kind of oddity meets most operations of a usual profile. And so many more to make one smaller
 * that shows something, where each halves what is left of it or takes a part of it out.
 */
export const ODD_REQUESTS = 30;
export const ODD_SHRINKS = 12;

/** Requests of the burst on the cold key. */
export const COLD: Readonly<Record<Kind, number>> = { read: 12, write: 6 };

/**
 * Seconds from `alpha`'s first burst to authentication and statuses. A window that opens with the burst may as well end within a second
 * of it, as far as a marker in seconds and a clock that ticks in whole ones tell: what is asked for then proves nothing of how it is counted.
 */
export const SHARED_AFTER_S = 3.2;

/**
 * Seconds that the plan keeps from `alpha`'s first burst to its pulse, and from the return of a budget to the next burst.
 * Chosen so that no two bursts of a budget are 60 ± 2 s apart, since a sliding log would then expire one burst while
 * another arrives, which leaves the order of the two open.
 */
export const PULSE_AFTER_S = 8;
export const SPEND_AFTER_S = 27;
export const SECOND_BURST_AFTER_S = 3;

/** Seconds that `delta` keeps its key idle: past the end of an anchored window by more than a clock's tick. */
export const IDLE_S = 75;

/**
 * How often, in one track, a request without an answer is followed by one without a key: its answer shows that the target can be reached, and
 * takes nothing off the budget. Where only what is over a limit gets no answer, the limit breaks off.
 */
export const WITNESSES = 3;

/** Seconds that must be left of a window for its budget to be spent and tried in it; else the next window is taken. */
export const ROOM_S = 6;

const POLLS_A_WINDOW = 40;

/** At most this many requests, and about this many seconds from the track's start. */
export function cost(role: Role, kind: Kind, variants: number): { requests: number; seconds: number } {
  const spend = LIMITS[kind] + OVERSHOOT;
  switch (role) {
    case 'alpha':
      return {
        requests: COLD[kind] + 3 + 2 * spend + variants + 2 * POLLS_A_WINDOW + WITNESSES,
        seconds: 2 * WINDOW_S + 4,
      };
    case 'beta':
      return { requests: 3 * spend + POLLS_A_WINDOW + WITNESSES, seconds: 2 * WINDOW_S + 8 };
    case 'gamma':
      return { requests: 1 + 2 * spend + variants + 2 * POLLS_A_WINDOW + WITNESSES, seconds: 2 * WINDOW_S + 4 };
    case 'delta':
      return { requests: COLD[kind] + 2 + spend + WITNESSES, seconds: IDLE_S + 5 };
    case 'brief':
      return { requests: 4 + spend + variants + WITNESSES, seconds: SHARED_AFTER_S + ROOM_S };
  }
}
