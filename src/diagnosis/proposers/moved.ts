import { WITH_REMAINING } from '../../oracle/check.ts';
import { type Event, type History, WINDOW } from '../../oracle/history.ts';
import { FORGETFUL, shape } from '../../oracle/shapes.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { changed, inOrder, unclear, type World } from '../world.ts';

/** Bits for what is not held against this supposition, markers and where most windows end, and to say one end: at which of 128 s. */
const UNJUDGED_BITS = 12;
const END_BITS = 7;

/** µs: longer than any run, so that a part of a history has one window. */
const NO_END = 100 * WINDOW;

/** Windows that count as they should, and end at other times than a minute after they began: wherever more is left than before. */
export function* proposeMovedEnds(world: World, { kind, fitter }: SearchContext): Iterable<Proposal> {
  if (world.window !== WINDOW) return;
  // Where windows of a minute explain all but the markers, it is these that are wrong.
  if (fitter.fit({ ...world, layers: WITH_REMAINING, shapes: FORGETFUL })) return;
  // What a failed request was left tells of its window only where it is counted.
  for (const telling of [ACCEPTED, ACCEPTED_OR_FAILED]) yield movedEnds(world, kind, telling);
}

const ACCEPTED: ReadonlySet<Event['outcome']> = new Set(['accepted']);
const ACCEPTED_OR_FAILED: ReadonlySet<Event['outcome']> = new Set(['accepted', 'failed']);

function movedEnds(world: World, kind: SearchContext['kind'], telling: ReadonlySet<Event['outcome']>): Proposal {
  let ends = 0;
  const split = changed(world, (history) => {
    const parts = windowsOf(history, telling);
    ends += Math.max(0, parts.length - expectedIn(history));
    return parts;
  });
  return {
    deviations: [
      {
        operator: 'moved-end',
        parameters: { kinds: [kind], trigger: 'unknown', to: { after: WINDOW }, idle: 0, told: false },
      },
    ],
    bits: DEVIATION_BITS + UNJUDGED_BITS + END_BITS * ends,
    world: { ...split, shapes: [shape('anchored', 0)], window: NO_END, layers: WITH_REMAINING },
  };
}

/** How many windows of a minute a history takes at the most. */
function expectedIn({ events }: History): number {
  return Math.ceil(((events.at(-1)?.to ?? 0) - (events[0]?.from ?? 0)) / WINDOW) + 1;
}

/**
 * The history in parts: a part ends where some request was left more than one that had been answered before it was sent. What was
 * under way then may be of either.
 */
function windowsOf(history: History, telling: ReadonlySet<Event['outcome']>): readonly History[] {
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
      // What was decided about then, and does not tell in which window, may have been counted in either.
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
