import type { Event, History } from '../../oracle/history.ts';
import { slides } from '../../oracle/shapes.ts';
import type { Kind } from '../../trace/exchange.ts';
import { bitsOfNumber, DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { changed, inOrder, unclear, type World } from '../world.ts';
import { isNextTo, markedIn } from './marked-windows.ts';

/** Bits to state which two numbers of a window belong together. */
const WHICH_BITS = 2;

/**
 * Windows that begin with as many requests counted as the one before refused, or with so many at the most. The markers
 * show which belong to one.
 */
export function* proposeOverage(world: World, { kind }: SearchContext): Iterable<Proposal> {
  yield* owed(world, kind, null);
  const most = mostOwed(world);
  if (most !== null) yield* owed(world, kind, most);
}

/** @param most the most refusals that a window counts in advance; null: its limit */
function* owed(world: World, kind: Kind, most: number | null): Iterable<Proposal> {
  const debts = new Map(world.histories.map((history) => [history, debtsOf(history, most ?? history.limit)]));
  const all = [...debts.values()].flat();
  if (!all.some(({ sure }) => sure > 0) || !all.every(({ isTold }) => isTold)) return;
  const parameters = { kinds: [kind], what: 'refusals', ...(most === null ? {} : { most }) } as const;
  yield {
    deviations: [{ operator: 'carried-over', parameters }],
    bits:
      DEVIATION_BITS +
      WHICH_BITS +
      (most === null ? 0 : bitsOfNumber(most)) +
      all.reduce((sum, { unsure }) => sum + Math.log2(1 + unsure), 0),
    world: changed({ ...world, shapes: world.shapes.filter((shape) => !slides(shape)) }, (history) => {
      const charged = (debts.get(history) ?? []).flatMap(({ sure, unsure, opening }) => [
        ...Array.from({ length: sure }, (): Event => ({ ...opening, outcome: 'foreign' })),
        ...Array.from({ length: unsure }, () => opening),
      ]);
      return { ...history, events: inOrder([...history.events, ...charged]) };
    }),
  };
}

/** What windows that owe fewer requests than the one before refused owe; null: there are none. */
function mostOwed({ histories }: World): number | null {
  const owing = histories.flatMap((history) =>
    debtsOf(history, history.limit).flatMap(({ sure, owes }) => (owes > 0 && owes < sure ? [owes] : [])),
  );
  // Requests of which no answer tells may have been counted, too, so the debt itself is the least.
  return owing.length === 0 ? null : Math.min(...owing);
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
  /** How many were counted before the answer of the window that leaves most. */
  readonly owes: number;
  /** A request at the beginning of the window. */
  readonly opening: Event;
}

/** The debts with which the windows of a history begin, at most so many requests each. */
function debtsOf({ events, shown }: History, most: number): readonly Debt[] {
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
    const isNext = isNextTo(window, before);
    const sure = Math.min(most, isNext ? refused : 0);
    const unsure = Math.min(most - sure, isNext ? others : refused + others);
    const left = window.events.reduce((greatest, { remaining }) => Math.max(greatest, remaining ?? 0), 0);
    const owes = shown - 1 - left;
    const opening = { ...unclear(first), from: window.from, to: window.to };
    return [{ sure, unsure, isTold: left <= shown - sure, owes, opening }];
  });
}
