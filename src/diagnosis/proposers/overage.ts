import { type Event, type History, WINDOW } from '../../oracle/history.ts';
import { slides } from '../../oracle/shapes.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { changed, inOrder, unclear, type World } from '../world.ts';

/** Bits to state which two numbers of a window belong together. */
const WHICH_BITS = 2;

/** Windows that begin with as many requests counted as the one before refused. The markers show which belong to one. */
export function* proposeOverage(world: World, { kind }: SearchContext): Iterable<Proposal> {
  const debts = new Map(world.histories.map((history) => [history, debtsOf(history)]));
  const all = [...debts.values()].flat();
  if (!all.some(({ sure }) => sure > 0) || !all.every(({ isTold }) => isTold)) return;
  yield {
    deviations: [{ operator: 'carried-over', parameters: { kinds: [kind], what: 'refusals' } }],
    bits: DEVIATION_BITS + WHICH_BITS + all.reduce((sum, { unsure }) => sum + Math.log2(1 + unsure), 0),
    world: changed({ ...world, shapes: world.shapes.filter((shape) => !slides(shape)) }, (history) => {
      const charged = (debts.get(history) ?? []).flatMap(({ sure, unsure, opening }) => [
        ...Array.from({ length: sure }, (): Event => ({ ...opening, outcome: 'foreign' })),
        ...Array.from({ length: unsure }, () => opening),
      ]);
      return { ...history, events: inOrder([...history.events, ...charged]) };
    }),
  };
}

/** What a window counts in advance. */
interface Debt {
  /** How many requests the one before certainly refused, and how many more it may have refused. */
  readonly sure: number;
  readonly unsure: number;
  /**
   * Whether no answer of the window leaves more than the debt allows. A request at the boundary may have been counted
   * in the window before.
   */
  readonly isTold: boolean;
  /** A request at the beginning of the window. */
  readonly opening: Event;
}

/** Requests with the same marker, and when the first of them were sent and answered. */
interface Marked {
  readonly marker: number;
  readonly events: readonly Event[];
  readonly from: number;
  readonly to: number;
}

/** The debts with which the windows of a history begin, at most the limit each. */
function debtsOf({ events, limit, shown }: History): readonly Debt[] {
  const windows = markedIn(events);
  const untold = events.filter(
    ({ outcome, exchange: { status } }) => outcome === 'unclear' && (status === null || status === 429),
  );
  return windows.slice(1).flatMap((window, index) => {
    const before = windows[index];
    const [first] = window.events;
    if (!before || !first) return [];
    const refused = before.events.filter(({ outcome }) => outcome === 'refused').length;
    const others = untold.filter(({ from, to }) => to >= before.from && from <= window.to).length;
    // If a window without requests lies between, the debt may be forgotten.
    const isNext = window.marker - before.marker < 2 * WINDOW - LEAST_APART;
    const sure = Math.min(limit, isNext ? refused : 0);
    const unsure = Math.min(limit - sure, isNext ? others : refused + others);
    const isTold = window.events.every(({ remaining }) => (remaining ?? 0) <= shown - sure);
    const opening = { ...unclear(first), from: window.from, to: window.to };
    return [{ sure, unsure, isTold, opening }];
  });
}

/** Markers that are less than this apart, in µs, are those of one window. */
const LEAST_APART = WINDOW / 2;

function markedIn(events: readonly Event[]): readonly Marked[] {
  const told = events.filter(
    ({ outcome, reset }) => reset !== null && (outcome === 'accepted' || outcome === 'refused'),
  );
  const groups = new Map<number, Event[]>();
  let last: Event[] = [];
  for (const event of [...told].sort((one, other) => (one.reset ?? 0) - (other.reset ?? 0))) {
    if ((event.reset ?? 0) - (last[0]?.reset ?? Number.NEGATIVE_INFINITY) >= LEAST_APART) {
      last = [];
      groups.set(event.reset ?? 0, last);
    }
    last.push(event);
  }
  return [...groups].map(([marker, own]) => ({
    marker,
    events: own,
    from: own.reduce((least, { from }) => Math.min(least, from), Number.POSITIVE_INFINITY),
    to: own.reduce((least, { to }) => Math.min(least, to), Number.POSITIVE_INFINITY),
  }));
}
