import { LIMITS, WINDOW_S } from '../catalogue/limits.ts';
import type { Kind } from '../trace/exchange.ts';

/**
 * What a track does with one budget (a key's reads or its writes) over two windows. Each role shows something that the
 * others cannot:
 *
 * - `polled`: a burst on the cold key, requests one after the other, a burst, the last ones and more one after the
 *   other again, every way of evasion on the spent budget, polling until it is back, and the second window spent at
 *   once: races, counting, scope, what is refused first and last, the window's length, what happens from the second
 *   window on
 * - `silent`: spent by one burst and then left in silence, the second time until well past the end: an expiry that
 *   refusals or polls would push forward stands out, and entries that are thrown out only after the next request; and
 *   last, reads are spent a third time, and writes down a single connection, which is reported and judged by nothing
 * - `boundary`: spent just before the marker and again just after: faults that live at the boundary
 * - `idle`: a few requests on the cold key, one more in the same window, a gap over the window's end, one more, and
 *   then all at once: windows anchored at a request against a grid of the key's own, counts that are lost before their
 *   window ends, what is left of old counts, and of what was not used
 *
 * Where nothing was selected that needs a window's end, there is only `brief`: one window, spent as soon as it has
 * room, and every way of evasion on the spent budget.
 */
export type Role = 'polled' | 'silent' | 'boundary' | 'idle' | 'brief';

/** How many requests over the limit a burst has: enough to show a race, few enough to be cheap. */
export const OVERSHOOT = 5;

/**
 * How many requests the burst of a step has: either the limit plus the overshoot, whatever the earlier answers were, or
 * a number that depends on how many seem to be left. Any other step is a single request.
 *
 * @param left requests that seem to be left of the budget
 */
export function burstSize(step: string, kind: Kind, left: number): number {
  const limit = LIMITS[kind];
  switch (step) {
    case 'spend-cold':
    case 'second-window':
    case 'after-boundary':
    case 'third-window':
    case 'spend-idle':
    case 'one-connection':
      return limit + OVERSHOOT;
    case 'cold':
    case 'first':
      return COLD[kind];
    case 'in-turn':
      return Math.min(IN_TURN[kind], Math.max(1, left - 4));
    case 'spend-most':
      return Math.max(1, left - LAST[kind]);
    case 'last':
    case 'spend':
      return Math.max(1, left) + OVERSHOOT;
    case 'before-boundary':
      return Math.max(1, left);
    default:
      return 1;
  }
}

/**
 * Other operations of the kind that are tried on a spent budget: one after the other, these take a few seconds at most.
 */
export const MOST_OTHERS = 40;

/** The same in a plan that would exceed the limit on requests. */
export const FEW_OTHERS = 11;

/** The ways of evasion come in two halves, with a plain request before, between and after. */
const EVASION = ['control', 'evasion', 'control', 'evasion', 'control'];

export interface StepsNamed {
  readonly role: Role;
  readonly kind: Kind;
  readonly variants: boolean;
  readonly isSpentAgain: boolean;
}

/**
 * The steps of a track in order, without polls, requests of the other kind and occasional requests. All attempts on a
 * spent budget count as evasion. A track ends early if its budget does not come back in time.
 */
export function stepsOf({ role, kind, variants, isSpentAgain }: StepsNamed): readonly string[] {
  switch (role) {
    case 'polled': {
      const second = ['rest', 'second-window', 'settle', 'back'];
      const spent = ['rest', 'spend-most', 'last', 'settle'];
      return ['cold', 'settle', 'in-turn', 'settle', ...spent, ...EVASION, ...second];
    }
    case 'silent': {
      const third = isSpentAgain && kind === 'read' ? ['third-window'] : [];
      return ['spend-cold', 'settle', 'rest', 'second-window', 'settle', ...third, 'end'];
    }
    case 'boundary': {
      const boundary = ['rest', 'before-boundary', 'after-boundary', 'settle'];
      return ['marker', ...boundary, ...(variants ? EVASION : []), 'back'];
    }
    case 'idle':
      return ['first', 'within', 'after-idle', 'settle', 'spend-idle', 'end'];
    case 'brief':
      return ['marker', 'rest', 'spend', 'settle', ...(variants ? EVASION : [])];
  }
}

/** Maximum requests of the preflight: enough for a network that resets one connection in five. */
export const PREFLIGHT_REQUESTS = 4;

/**
 * How often, in one run, a single request without an answer is sent again: at least so often, and once for each ten
 * requests if the limit on requests has room. That is enough for a network that loses one answer in twenty: of 350, it
 * loses 18, with a standard deviation of 4.
 */
export const LEAST_REPEATS = 10;
export const SINGLES_A_REPEAT = 10;

/**
 * Arbitrary single requests of a run: enough that each kind of oddity meets most operations of a usual profile. And
 * this many more to shrink one that shows a failure: each of these halves it or removes a part of it.
 */
export const ODD_REQUESTS = 30;
export const ODD_SHRINKS = 10;

/** The most requests with another value of a query parameter of the profile: all values of three parameters. */
export const OWN_PARAMETERS = 16;

/** Guards against scanners usually turn a key away after 5 failed requests (fail2ban's `maxretry`), or after 10. */
export const FAILURES_IN_A_ROW = 10;

/** Requests of the burst on the cold key. */
export const COLD: Readonly<Record<Kind, number>> = { read: 12, write: 6 };

/**
 * Requests that are sent one after the other: the answer to each is exact, so one in thirty that is not counted, or
 * counted twice, is noticed. Three tenths of the limit.
 */
const IN_TURN: Readonly<Record<Kind, number>> = { read: 30, write: 9 };

/**
 * Requests at the end of a budget that are sent one after the other, with those over the limit: in a burst nobody sees
 * which were decided before a refusal. Enough that several nodes, and most operations, meet the end of the budget
 * twice.
 */
const LAST: Readonly<Record<Kind, number>> = { read: 12, write: 8 };

/**
 * Seconds that requests in turn may take. The rest is then sent at once, so a slow target does not use up the budget's
 * window.
 */
export const IN_TURN_S = 10;

/**
 * Seconds from `polled`'s first burst to authentication and statuses. A window that opens with the burst may as well
 * end within a second of it, as far as a marker in seconds and a clock that ticks in whole ones tell: what is asked for
 * then proves nothing of how it is counted.
 */
export const SHARED_AFTER_S = 3.2;

/**
 * Seconds that the plan keeps from `polled`'s first burst to its requests in turn, and from the return of a budget to
 * the next burst. Chosen so that no two bursts of a budget are 60 ± 2 s apart, since a sliding log would then expire
 * one burst while another arrives, which leaves the order of the two open.
 */
export const IN_TURN_AFTER_S = 8;
export const SPEND_AFTER_S = 27;
export const SECOND_BURST_AFTER_S = 2.5;

/**
 * Seconds from the first request of `idle` to the next one, in the same window; and to the one after the gap, past the
 * end of an anchored window by more than a clock's tick.
 */
export const WITHIN_S = 45;
export const IDLE_S = 75;

/**
 * Seconds by which the other kind of a key's requests begins first, so that its window ends while this one is open: a
 * third of a window.
 */
export const APART_S = WINDOW_S / 3;

/**
 * The number of parts in which requests without an accepted key are sent. Plain requests after each part show whether
 * it was counted.
 */
export const BAD_PARTS = 4;

/**
 * How often, in one track, a request without a key follows a request without an answer. Its answer shows that the
 * target is reachable, and it uses no budget. If only requests over a limit get no answer, the limiter breaks them off.
 */
export const WITNESSES = 2;

/**
 * How often, in one track, what was refused while its answer said that some are left is asked for again by itself:
 * somebody else who uses the key would have to have spent it anew between each two, while a limit besides refuses it
 * each time. Between four there are three moments, as many as it takes for a rule to explain more than use by others
 * does.
 */
export const INSISTED = 4;

/**
 * How many requests the other kind's budget must have left for one of them to follow when a budget is spent: what is
 * taken of it then does not change what it shows.
 */
export const LEFT_BESIDE = 4;

/**
 * The requests between these, which show what the additional limit covers: the same with the key in the other header,
 * and another operation.
 */
export const UNLIKE = 2;

/** Seconds reserved at the end of a window to try to evade a spent budget. */
export const ROOM_S = 6;

/**
 * Seconds that must be left of a window to spend its budget and try to evade it. Otherwise the track uses the next
 * window, and the wait comes in addition to two windows.
 */
export const LEAST_ROOM_S = 4;

/**
 * Seconds before and after the expected end of a window in which polls are frequent: markers may have whole seconds.
 */
export const DENSE_FROM_S = 1.3;
export const DENSE_TO_S = 1.6;

/**
 * Seconds after the expected end at which even a sliding counter that was filled at once has slots back: six reads, two
 * writes.
 */
export const LATE_S = 4;

/**
 * Seconds after the expected end after which a track does not go on when its budget comes back. This is a fault, which
 * the judge names.
 */
export const GIVE_UP_AFTER_S = 5;

/**
 * Seconds after its start at which a track stops watching its second window, whether that has ended or not: refusals
 * that are counted put the end off. A window that begins with the requests in turn, where the one before it was too
 * short, has ended by then.
 */
export const WATCHED_S = 2 * WINDOW_S + IN_TURN_AFTER_S - 0.5;

/** How often `boundary` polls whether the boundary has passed: for at most three seconds. */
export const BOUNDARY_EVERY_S = 0.25;
export const BOUNDARY_S = 3;
