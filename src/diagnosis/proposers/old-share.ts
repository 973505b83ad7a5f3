import type { CarriedOver } from '../../deployment/deviations/carried-over.ts';
import { type Event, type History, type Range, WINDOW } from '../../oracle/history.ts';
import { slides } from '../../oracle/shapes.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { changed, conformingWorld, inOrder, unclear, type World } from '../world.ts';
import { alsoCharged, chargedHere } from './charged.ts';
import { isNextTo, type Marked, markedIn } from './marked-windows.ts';

/** Parts of an old count that code is likely to use. A whole one is more plainly a window that does not end. */
const SHARES = [1 / 2, 1 / 3, 2 / 3, 1 / 4, 3 / 4] as const;

/** Bits to state which of these, or that the part grows. */
const SHARE_BITS = Math.log2(SHARES.length + 1);

/** What a window counted: with what it refused or not, and with what it had from the one before or not. */
interface Way {
  readonly refused: boolean;
  readonly all: boolean;
}

const WAYS: readonly Way[] = [false, true].flatMap((refused) => [false, true].map((all) => ({ refused, all })));

/**
 * Windows in which a part of what the window before counted is still counted, as their markers show. One limiter counts
 * both kinds: if nothing is wrong with the other one, steady use of these keys by others is likelier.
 */
export function* proposeOldShares(world: World, { kind, otherKind, fitter }: SearchContext): Iterable<Proposal> {
  const windows = new Map(world.histories.map((history) => [history, windowsOf(history)]));
  if (![...windows.values()].flat().some(({ isNext }) => isNext)) return;
  if (fitter.fit(conformingWorld(otherKind)) !== null) return;
  const shapes = world.shapes.filter((shape) => !slides(shape));
  for (const share of [...SHARES, 'elapsed'] as const) {
    for (const way of WAYS) {
      // What grows to the whole is never forgotten if it is counted again.
      if (way.all && share === 'elapsed') continue;
      yield {
        deviations: [{ operator: 'carried-over', parameters: { kinds: [kind], what: 'share', share } }],
        bits: DEVIATION_BITS + SHARE_BITS + Math.log2(WAYS.length),
        world: changed({ ...world, shapes }, (history) =>
          withOld(history, stillCounted(windows.get(history) ?? [], history.limit, share, way)),
        ),
      };
    }
  }
}

/** What the requests of a window show. */
interface Window extends Marked {
  /** How many of them certainly counted, how many were refused, and how many others it may have counted. */
  readonly accepted: number;
  readonly refused: number;
  readonly others: number;
  /** Whether it follows another window without a gap. */
  readonly isNext: boolean;
  /** When it began, in µs. */
  readonly start: Range;
}

function windowsOf({ events, offset, unit }: History): readonly Window[] {
  const open = events.filter(({ outcome }) => outcome === 'unclear' || outcome === 'failed');
  return markedIn(events).map((window, at, all) => {
    const before = all[at - 1];
    const count = (outcome: Event['outcome']): number =>
      window.events.filter((event) => event.outcome === outcome).length;
    const ended = all[at + 1]?.to ?? Number.POSITIVE_INFINITY;
    const last = before?.events.reduce((latest, { from }) => Math.max(latest, from), before.from) ?? 0;
    const low = Math.max(last, window.marker - WINDOW - (unit ?? 0) - offset.high);
    const high = Math.min(window.to, window.marker - WINDOW + (unit ?? 0) - offset.low);
    return {
      ...window,
      ...{ accepted: count('accepted'), refused: count('refused') },
      others: open.filter(({ from, to }) => to >= window.from && from <= ended).length,
      isNext: before !== undefined && isNextTo(window, before),
      start: { low: Math.min(low, high), high },
    };
  });
}

/** A request of an earlier window that is counted in a later one. */
interface Old {
  readonly event: Event;
  /** Whether there was room for it, so that it was counted if it came. */
  readonly hasRoom: boolean;
}

/** The budget with what is still counted in it. */
function withOld(history: History, old: readonly Old[]): History {
  const doubtful = old.filter(({ hasRoom }) => !hasRoom).map(({ event }) => event);
  const certain = old.filter(({ hasRoom }) => hasRoom).map(({ event }) => event);
  const charged = alsoCharged(history, doubtful);
  return { ...charged, events: inOrder([...charged.events, ...certain]) };
}

/** The requests of earlier windows that are counted in later ones. */
function stillCounted(
  windows: readonly Window[],
  limit: number,
  share: CarriedOver['share'],
  way: Way,
): readonly Old[] {
  let [low, high] = [0, 0];
  return windows.flatMap((window) => {
    const old = { low: window.isNext ? low : 0, high: window.isNext ? high : 0 };
    const part = typeof share === 'number' ? share : 1;
    const [least, most] = [Math.floor(part * old.low), Math.ceil(part * old.high)];
    const own = window.accepted + (way.refused ? window.refused : 0);
    [low, high] = [own + (way.all ? least : 0), own + window.others + (way.all ? most : 0)];
    return share === 'elapsed' ? oneByOne(window, old, limit) : atOnce(window, { low: least, high: most }, limit);
  });
}

function atOnce({ events: [first], from, to }: Window, { low, high }: Range, limit: number): readonly Old[] {
  if (!first) return [];
  return Array.from({ length: Math.min(high, limit) }, (_, at) => ({
    event: chargedHere({ ...unclear(first), from, to }, at < low),
    hasRoom: true,
  }));
}

/** The count may be rounded in any way, so each is added between two times at which it is a whole number. */
function oneByOne(window: Window, { low, high }: Range, limit: number): readonly Old[] {
  const { start, accepted, others } = window;
  const [first] = window.events;
  if (!first) return [];
  return Array.from({ length: high }, (_, at) => {
    const from = start.low + (at / high) * WINDOW;
    const to = start.high + Math.min(1, (at + 1) / Math.max(1, low)) * WINDOW;
    return {
      event: chargedHere({ ...unclear(first), from, to }, at < low),
      hasRoom: at < low && at + 1 + accepted + others <= limit,
    };
  });
}
