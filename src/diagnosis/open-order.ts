import type { Event, History } from '../oracle/history.ts';
import { statedRemaining } from '../oracle/make-history.ts';
import { together } from '../oracle/together.ts';
import type { Exchange } from '../trace/exchange.ts';
import { bitsToChoose } from './proposal.ts';
import { byWindow, type World } from './world.ts';

/**
 * Bits to state the Remaining of simultaneous requests, as far as a world leaves open which of them are counted, when,
 * or for how long: where among them the next lower one follows in one way, and where in another. How often it does, the
 * deviation states (`losses.ts`). Where all are counted at once, each counts those above it, so nothing is stated.
 *
 * @param late answers of which it is open when what their Remaining tells was counted
 */
export function bitsOfOpenOrder({ histories, window }: World, late: ReadonlySet<Exchange> = NONE): number {
  return histories
    .filter(({ events }) => events.some((event) => isOpen(event) || late.has(event.exchange)))
    .reduce((sum, history) => sum + bitsIn(history, window), 0);
}

const NONE: ReadonlySet<Exchange> = new Set();

/** Of all crowds of a budget: what is given back, or counted late, may show in any. */
function bitsIn({ events, unit }: History, length: number): number {
  return together(events).reduce((sum, crowd) => {
    // No Remaining is below 0, so where it is 0, it does not tell what was counted.
    const told = crowd.filter((event) => LET_THROUGH.has(event.outcome) && leftAfter(event) > 0);
    const isMarked = told.some(({ reset }) => reset !== null);
    const windows = isMarked ? (byWindow(told, length, unit) ?? [told]) : [told];
    return sum + windows.reduce((bits, own) => bits + bitsOfFalls(own.map(leftAfter)), 0);
  }, 0);
}

/**
 * The next lower Remaining is the same, or counts all requests above it, or is one lower, or lower by more: then it may
 * be any that is lower.
 */
function bitsOfFalls(remaining: readonly number[]): number {
  const left = remaining.toSorted((one, other) => other - one);
  const [most = 0] = left;
  const falls = { same: 0, all: 0, one: 0, more: 0 };
  let bits = 0;
  for (const [at, now] of left.slice(1).entries()) {
    const before = left[at] ?? now;
    const how = now === before ? 'same' : now === most - at - 1 ? 'all' : now === before - 1 ? 'one' : 'more';
    falls[how] += 1;
    if (how === 'more') bits += Math.log2(before);
  }
  let rest = left.length - 1;
  for (const count of Object.values(falls)) {
    bits += bitsToChoose(rest, count);
    rest -= count;
  }
  return bits;
}

/** Whether it is open if a request is counted or gives one back, when, or for how long. */
function isOpen({ outcome, countedBy }: Event): boolean {
  return countedBy !== undefined || OPEN.has(outcome);
}

const OPEN: ReadonlySet<Event['outcome']> = new Set(['doubtful', 'released', 'returned', 'returnable']);

/** What an answer tells is left, also if the world does not judge it; 0 if it tells nothing. */
function leftAfter({ remaining, exchange }: Event): number {
  return remaining ?? statedRemaining(exchange) ?? 0;
}

const LET_THROUGH: ReadonlySet<Event['outcome']> = new Set(['accepted', 'doubtful', 'released']);
