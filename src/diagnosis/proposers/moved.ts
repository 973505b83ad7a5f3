import { WITH_REMAINING } from '../../oracle/check.ts';
import { type Event, type History, likelyOffset, WINDOW } from '../../oracle/history.ts';
import { FORGETFUL } from '../../oracle/shapes.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { inOrder, isDecided, unclear, type World } from '../world.ts';
import { UNJUDGED_BITS, VALUE_BITS } from './header-bits.ts';
import { endless, ownEnd, TOLERANCE } from './window-parts.ts';

/** Bits to state that markers do not tell when windows end, but a minute after each began. */
const UNTOLD_BITS = 6;

/** Ends of windows are stated with the precision of the clocks, in µs. */
const SECOND = 1_000_000;

/**
 * Windows that count correctly but end at other times than a minute after they began: wherever more is left than
 * before.
 */
export function* proposeMovedEnds(world: World, { kind, fitter }: SearchContext): Iterable<Proposal> {
  if (world.window !== WINDOW) return;
  if (areOnlyMarkersWrong(world, fitter)) return;
  // The Remaining of a failed request belongs to its window only if failed requests are counted.
  for (const telling of [ACCEPTED, ACCEPTED_OR_FAILED]) yield movedEnds(world, kind, telling);
}

/** Whether one-minute windows explain everything except the markers. */
export function areOnlyMarkersWrong(world: World, fitter: SearchContext['fitter']): boolean {
  return fitter.fit({ ...world, layers: WITH_REMAINING, shapes: FORGETFUL }) !== null;
}

export const ACCEPTED: ReadonlySet<Event['outcome']> = new Set(['accepted']);
const ACCEPTED_OR_FAILED: ReadonlySet<Event['outcome']> = new Set(['accepted', 'failed']);

function movedEnds(world: World, kind: SearchContext['kind'], telling: ReadonlySet<Event['outcome']>): Proposal {
  const parts = world.histories.map((history) => windowsOf(history, telling));
  return {
    deviations: [
      {
        operator: 'moved-end',
        parameters: { kinds: [kind], trigger: 'unknown', to: { after: WINDOW }, idle: 0, told: false },
      },
    ],
    bits:
      DEVIATION_BITS + UNTOLD_BITS + bitsOfMarkers(parts.flat()) + parts.reduce((sum, own) => sum + bitsOfEnds(own), 0),
    world: endless(world, parts.flat()),
  };
}

/**
 * Bits to state when windows end if no rule says so: which part of two minutes, as precisely as the requests around it
 * show.
 */
function bitsOfEnds(parts: readonly History[]): number {
  return parts.slice(1).reduce((sum, { events }, at) => {
    const width = (events[0]?.to ?? 0) - (parts[at]?.events.at(-1)?.from ?? 0);
    return sum + Math.max(0, Math.log2((2 * WINDOW) / Math.max(SECOND, width)));
  }, 0);
}

/** Bits to state the markers that are not a minute after their window began: no more than if they follow no rule. */
function bitsOfMarkers(windows: readonly History[]): number {
  const strange = windows.reduce((sum, each) => sum + strangeMarkers(each), 0);
  return Math.min(UNJUDGED_BITS, strange * VALUE_BITS);
}

/** As many as take the most bits are enough: where each answer has another one, not all are compared with all. */
const MOST_STRANGE = UNJUDGED_BITS / VALUE_BITS;

function strangeMarkers(window: History): number {
  const told = window.events.filter((event) => isDecided(event) && event.reset !== null);
  const [first] = told;
  if (!first) return 0;
  const near = TOLERANCE + (window.unit ?? 0);
  const known = [ownEnd(window, first) + likelyOffset(window.offset)];
  for (const { reset } of told) {
    if (known.length > MOST_STRANGE) break;
    if (reset !== null && known.every((each) => Math.abs(each - reset) > near)) known.push(reset);
  }
  return known.length - 1;
}

/**
 * The history in parts. A part ends if a request has more left than one that had been answered before it was sent.
 * Requests under way at that moment may belong to either part.
 */
export function windowsOf(history: History, telling: ReadonlySet<Event['outcome']>): readonly History[] {
  const leftBy = ({ outcome, remaining }: Event): number | null =>
    outcome === 'refused' ? 0 : telling.has(outcome) ? remaining : null;
  const parts: Event[][] = [[]];
  let least: number | null = null;
  let answered: Event[] = [];
  for (const event of history.events) {
    const left = leftBy(event);
    const before = answered.filter(({ to }) => to < event.from);
    for (const each of before)
      least = Math.min(least ?? Number.POSITIVE_INFINITY, leftBy(each) ?? least ?? Number.POSITIVE_INFINITY);
    answered = answered.filter(({ to }) => to >= event.from);
    if (left !== null && least !== null && telling.has(event.outcome) && left > least) {
      const last = parts.at(-1) ?? [];
      const isNew = (each: Event): boolean => each.to >= event.from && (leftBy(each) ?? -1) >= left;
      const old = last.filter((each) => !isNew(each));
      const told = old.findLast((each) => leftBy(each) !== null);
      // Requests decided around that moment whose answers do not show their window may have been counted in either.
      const either = old.filter(
        (each) => each.to >= event.from || (told && leftBy(each) === null && each.to > told.from),
      );
      const fresh = inOrder([...either.map(unclear), ...last.filter(isNew)]);
      parts.splice(
        -1,
        1,
        old.map((each) => (either.includes(each) ? unclear(each) : each)),
        [...fresh],
      );
      answered = last.filter(isNew);
      least = null;
    }
    parts.at(-1)?.push(event);
    answered.push(event);
  }
  return parts.filter((events) => events.length > 0).map((events) => ({ ...history, events }));
}
