import type { SecondLimit } from '../../deployment/deviations/second-limit.ts';
import { BOTH } from '../../deployment/operator.ts';
import { type Event, type History, isLetThrough, WINDOW } from '../../oracle/history.ts';
import { budgetKey, type Exchange } from '../../trace/exchange.ts';
import type { SearchContext } from '../proposal.ts';
import { byMarker, inOrder, limitTold, merged, unclear, type World, withEvents } from '../world.ts';
import { type FittingLimit, LENGTHS, limitsShown, limitThatFits } from './limits-seen.ts';
import { asDecided, bitsOfRefusedUnknown, unknownIn } from './sharing.ts';

/** Bits to state that a second limit is shared (1), and across what, of four (2). */
const SHARED_BITS = 3;

/**
 * A limit that each budget has for itself, or several together, and the bits to state it beside those of a limit of its
 * own for each.
 */
interface SharedLimit {
  readonly parameters: SecondLimit;
  readonly bits: number;
}

/** A limit, and the length of its windows in µs. */
interface LimitInWindow extends FittingLimit {
  readonly window: number;
}

/** Which refusals are those of the second limit. */
interface Refusing {
  readonly refuses: (event: Event) => boolean;
  /** The limit, if its refusals state it; null: they state the other limit. */
  readonly told: number | null;
  /** Whether no answer says that some were left, so that others may have used each budget. */
  readonly byOthers?: boolean;
}

/**
 * Limits that each budget has, or several together, and that explain all its refusals, in the shortest windows in which
 * one does. Where others may have used each budget, only one that several budgets have together, and that they spent
 * in two windows: others would have left the same number twice.
 */
export function* sharedLimits(
  world: World,
  context: SearchContext,
  { refuses, told, byOthers = false }: Refusing,
): Iterable<SharedLimit> {
  const { kind, otherKind, anonymous } = context;
  const main = [...world.histories, ...otherKind];
  const turns = told === null ? turnsOf(main) : [];
  const unknown = unknownIn(main, anonymous);
  const unexplained = bitsOfRefusedUnknown(unknown);
  for (const across of [null, 'keys', 'kinds', 'both', 'anyone'] as const) {
    const groups = groupsAcross(across, world.histories, otherKind, unknown);
    const most = groups.reduce((sum, { length }) => Math.max(sum, length), 0);
    if (across === null ? byOthers : most < 2) continue;
    // A limit for all requests of a budget in a minute is the other limit.
    const lengths = across === null ? LENGTHS.filter((length) => length < WINDOW) : LENGTHS;
    const limitOf = (ways: readonly Way[]): LimitInWindow | null => {
      const counted = ways.map((way) => ({
        way,
        own: groups.flatMap((group) => decisions(group, way, refuses) ?? []),
      }));
      return inShortest(lengths, (window) => {
        for (const { way, own } of counted) {
          const since = window === WINDOW ? sinceTurns(own, turns) : [];
          const limits = told === null ? [...new Set([...limitsShown(own, window, isOpen(way)), ...since])] : [told];
          const fitting = limitThatFits(own, limits, window, main, context);
          if (fitting && (!byOthers || own.some((history) => isSpentTwice(history, window)))) return fitting;
        }
        return null;
      });
    };
    // Where it is open what was counted, shorter windows seem to fit as well.
    const found = limitOf(PLAIN_WAYS) ?? limitOf(OPEN_WAYS);
    if (!found) continue;
    const kinds = across === null || across === 'keys' ? [kind] : BOTH;
    // It may be as many times as large as there are budgets.
    const { limit, bits, window } = found;
    yield {
      parameters: { kinds, only: null, limit, window, ...(across && { across }) },
      bits: (across === null ? 0 : SHARED_BITS + Math.log2(most)) + (across === 'anyone' ? 0 : unexplained) + bits,
    };
  }
}

/** When windows of the main limit begin, as markers tell it, in µs of the run's clock. */
function turnsOf(main: readonly History[]): readonly number[] {
  const told = main.flatMap(({ events }) => events.filter(({ reset }) => reset !== null));
  return [...byMarker(inOrder(told)).values()].flatMap(([first]) => first?.from ?? []);
}

/** How many were let through from the last turn of the main limit's windows to a first refusal. */
function sinceTurns(own: readonly History[], turns: readonly number[]): readonly number[] {
  return own.flatMap(({ events }) => {
    const [first] = events.filter(({ outcome }) => outcome === 'refused');
    const turn = first && turns.findLast((time) => time < first.from);
    if (!first || turn === undefined) return [];
    const { to } = first;
    return events.filter(({ outcome, from }) => outcome === 'accepted' && from >= turn && from <= to).length;
  });
}

/** Whether a history was refused something in two windows, and was let through between. */
function isSpentTwice({ events }: History, window: number): boolean {
  const refused = events.filter(({ outcome }) => outcome === 'refused');
  return refused.some((later) => {
    const first = refused.find(({ to }) => to < later.from - window / 2);
    return (
      first && events.some(({ outcome, from, to }) => outcome === 'accepted' && from > first.to && to < later.from)
    );
  });
}

function inShortest(
  lengths: readonly number[],
  limitIn: (window: number) => FittingLimit | null,
): LimitInWindow | null {
  for (const window of lengths) {
    const found = limitIn(window);
    if (found) return { ...found, window };
  }
  return null;
}

/** The budgets that have a limit together; none if this is no other sharing than a plainer one. */
function groupsAcross(
  across: SecondLimit['across'] | null,
  own: readonly History[],
  otherKind: readonly History[],
  unknown: readonly Exchange[],
): readonly (readonly History[])[] {
  if (across === null) return own.map((each) => [each]);
  if (across === 'keys') return [own];
  if (across === 'kinds') return own.map((each) => [each, ...otherKind.filter(({ key }) => key === each.key)]);
  const all = own.length > 1 && otherKind.length > 0 ? [...own, ...otherKind] : [];
  if (all.length === 0) return [];
  if (across === 'both') return [all];
  if (unknown.length === 0) return [];
  const known = all.map((each) => withEvents(each, (event) => (budgetKey(event.exchange) === null ? null : event)));
  return [[...known, ...all.slice(0, 1).map((each) => ({ ...each, events: unknown.map(asDecided) }))]];
}

/** What a second limit does with failed requests, and with those that the other limit refuses. */
interface Way {
  readonly failed: 'counted' | 'not counted' | 'unclear';
  readonly refused: 'not counted' | 'unclear';
}

const FAILED = ['counted', 'not counted', 'unclear'] as const;

/** Plain ways, which come first; and it cannot be told which of both limits refused a request with nothing left. */
const PLAIN_WAYS: readonly Way[] = FAILED.map((failed) => ({ failed, refused: 'not counted' }));
const OPEN_WAYS: readonly Way[] = FAILED.map((failed) => ({ failed, refused: 'unclear' }));

function isOpen({ failed, refused }: Way): boolean {
  return failed === 'unclear' || refused === 'unclear';
}

/** Whether a refusal states this limit. */
export function isRefusedBy(limit: number, event: Event): boolean {
  return event.outcome === 'refused' && limitTold(event) === limit;
}

/** The decisions of the second limit of these budgets. @param refuses whether it refused a request */
function decisions(group: readonly History[], way: Way, refuses: (event: Event) => boolean): History | null {
  const own = group.map((history) => withEvents(history, (event) => decided(event, way, refuses)));
  return merged(own, group.map(({ key }) => key).join(' and '));
}

/** What the second limit did with a request; null: nothing. */
function decided(event: Event, { failed, refused }: Way, refuses: (event: Event) => boolean): Event | null {
  const told = { ...event, group: '', remaining: null, reset: null };
  if (isLetThrough(event)) return { ...told, outcome: 'accepted' };
  if (refuses(event) || (event.outcome === 'refused' && budgetKey(event.exchange) === null)) return told;
  const counted = event.outcome === 'failed' ? failed : event.outcome === 'refused' ? refused : 'unclear';
  if (counted === 'unclear') return unclear(event);
  return counted === 'counted' ? { ...told, outcome: 'accepted' } : null;
}
