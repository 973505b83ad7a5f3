import type { Event, History } from '../../oracle/history.ts';
import { bitsOfNumber, DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { byWindow, isDecided, leftOpen, type World } from '../world.ts';
import { isServed } from './admission.ts';

/**
 * Requests over the limit that are let through once a window has refused so many, as by a circuit breaker: every window
 * that lets some through refuses as many before, and none after them. It stays open which of the requests that left
 * nothing was the last one within the limit.
 */
export function* proposeAfterRefusals(world: World, { kind }: SearchContext): Iterable<Proposal> {
  const windows = world.histories.flatMap((history) => windowsOf(history, world.window));
  const open = windows.filter(({ through }) => through.length > 0);
  const after = open.reduce((most, { refused }) => Math.max(most, refused.length), 0);
  if (after === 0 || !windows.every((own) => isByRule(own, after))) return;
  yield {
    deviations: [
      { operator: 'sporadic-admission', parameters: { kinds: [kind], oneIn: 1, which: 'over the limit', after } },
    ],
    bits: DEVIATION_BITS + bitsOfNumber(after),
    world: leftOpen(world, (event) => isServed(event) && event.remaining === 0),
  };
}

/** What a window did when nothing was left. */
interface Spent {
  readonly refused: readonly Event[];
  /** All that were served and left nothing, except one. */
  readonly through: readonly Event[];
  /** How many more it may have refused: their answers are not known, or tell of no window. */
  readonly unknown: number;
}

function windowsOf({ events, unit }: History, window: number): readonly Spent[] {
  const decided = events.filter((event) => isDecided(event) || isServed(event));
  const marked = decided.filter(({ reset }) => reset !== null);
  // Without markers, it would have to be guessed which refusals are of one window.
  return (byWindow(marked, window, unit) ?? []).map((own) => {
    const from = own[0]?.from ?? 0;
    const to = own.reduce((latest, event) => Math.max(latest, event.to), from);
    return {
      refused: own.filter(({ outcome }) => outcome === 'refused'),
      through: own.filter((event) => isServed(event) && event.remaining === 0).slice(1),
      unknown: events.filter((event) => event.outcome === 'unclear' && event.from <= to && event.to >= from).length,
    };
  });
}

/** Whether a window lets through what comes after so many refusals, and nothing before. */
function isByRule({ refused, through, unknown }: Spent, after: number): boolean {
  if (refused.length > after) return false;
  const isLate = refused.some(({ from }) => through.some(({ to }) => to < from));
  const isEarly = through.some(({ to }) => refused.filter(({ from }) => from < to).length + unknown < after);
  return !isLate && !isEarly;
}
