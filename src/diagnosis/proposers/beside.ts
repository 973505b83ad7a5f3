import { below, upTo } from '../../oracle/counts.ts';
import { type Event, type History, WINDOW } from '../../oracle/history.ts';
import { isSuccess } from '../../trace/exchange.ts';
import { clocked } from '../clocked.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { inOrder, isDecided, type Times, timesOf, unclear, type World } from '../world.ts';
import { endless, keepsItsMarkers, ownEnd, type Parts, partsOf, RULE_BITS, TOLERANCE, UNTOLD_BITS } from './trigger.ts';

/** Bits to state which of four ways it is. */
const WAY_BITS = 2;

/**
 * Windows that a successful request of the same key and the other kind ends, or whose end it puts off to a minute after
 * it. It does so at some time before its answer. And windows that end together with that of the other kind, which began
 * before them.
 */
export function* proposeEndsByOtherKind(world: World, { kind, otherKind }: SearchContext): Iterable<Proposal> {
  if (world.window !== WINDOW) return;
  const histories = clocked(world.histories);
  const besideOf = ({ key }: History): readonly Event[] => otherKind.find((other) => other.key === key)?.events ?? [];
  for (const { trigger, after, enders } of WAYS) {
    const split = histories.map((history) => {
      const beside = enders(besideOf(history), history);
      return after === 0 ? endedBy(history, beside) : partsOf(history, NEVER, after, 'end', beside);
    });
    if (!split.some(({ isMoved }) => isMoved)) continue;
    const told = split.every(({ isTold }) => isTold);
    if (!told && !split.every(keepsItsMarkers)) continue;
    yield {
      deviations: [
        {
          operator: 'moved-end',
          parameters: { kinds: [kind], trigger, to: { after }, idle: 0, told },
        },
      ],
      bits: DEVIATION_BITS + RULE_BITS + WAY_BITS + (told ? 0 : UNTOLD_BITS),
      world: endless(
        world,
        split.flatMap(({ parts }) => parts),
      ),
    };
  }
}

const NEVER = (): boolean => false;

function hasSucceeded({ exchange: { status } }: Event): boolean {
  return isSuccess(status);
}

/** How the end of a window moves, and what moves it: whether requests count of which the specification says nothing is open. */
interface Way {
  readonly trigger: 'other kind' | 'one expiry';
  readonly after: number;
  readonly enders: (beside: readonly Event[], history: History) => readonly Event[];
}

const WAYS: readonly Way[] = [
  { trigger: 'other kind', after: 0, enders: (beside) => beside.filter(hasSucceeded) },
  { trigger: 'other kind', after: 0, enders: (beside) => beside.filter(({ outcome }) => outcome === 'accepted') },
  { trigger: 'other kind', after: WINDOW, enders: (beside) => beside.filter(hasSucceeded) },
  { trigger: 'one expiry', after: 0, enders: (beside, { events }) => expiriesOf(inOrder([...beside, ...events])) },
];

/**
 * When a record expires that the first request made after the one before had expired: as the requests that made it, a
 * minute later.
 */
function expiriesOf(events: readonly Event[]): readonly Event[] {
  const expiries: Event[] = [];
  let until = Number.NEGATIVE_INFINITY;
  for (const event of events) {
    if (event.outcome === 'unclear' || event.from < until) continue;
    until = event.to + WINDOW;
    expiries.push({ ...event, from: event.from + WINDOW, to: until });
  }
  return expiries;
}

/** The history in parts, each of which ends with its time or with one of the requests `beside` it. */
function endedBy(history: History, beside: readonly Event[]): Parts {
  const sections = sectionsOf(history.events, timesOf(beside)).map((events) => partsFrom({ ...history, events }));
  return {
    parts: sections.flatMap(({ parts }) => parts),
    isMoved: beside.some(moreLeftAfter(history)),
    isTold: sections.every(({ isTold }) => isTold),
  };
}

/**
 * The events between some requests beside them. Those under way together with such a request may have been counted
 * before or after it. Sections in which no request was certainly decided show nothing.
 */
function sectionsOf(events: readonly Event[], ends: Times): readonly (readonly Event[])[] {
  const sections = new Map<number, Event[]>();
  const either: { readonly event: Event; readonly first: number; readonly last: number }[] = [];
  for (const event of events) {
    const [first, last] = [below(ends.answered, event.from), upTo(ends.sent, event.to)];
    const section = sections.get(first);
    if (first < last) either.push({ event: unclear(event), first, last });
    else if (section) section.push(event);
    else sections.set(first, [event]);
  }
  for (const { event, first, last } of either) {
    for (let at = first; at <= last; at++) sections.get(at)?.push(event);
  }
  return [...sections].sort(([one], [other]) => one - other).map(([, section]) => inOrder(section));
}

/** One section in the parts that end with their time. A request of which it is unknown where it belongs opens none. */
function partsFrom(section: History): Parts {
  const at = Math.max(0, section.events.findIndex(isDecided));
  const { parts, ...rest } = partsOf({ ...section, events: section.events.slice(at) }, NEVER, 0, 'end');
  const [first, ...others] = parts;
  if (!first) return { parts, ...rest };
  return { parts: [{ ...first, events: [...section.events.slice(0, at), ...first.events] }, ...others], ...rest };
}

/**
 * Whether the first request after one beside a history leaves no less than the last one before it, although the window
 * had not ended.
 */
function moreLeftAfter(history: History): (beside: Event) => boolean {
  const telling = history.events.filter(({ outcome, remaining }) => outcome === 'accepted' && remaining !== null);
  const { sent } = timesOf(telling);
  return ({ from, to }) => {
    let at = below(sent, from) - 1;
    while (at >= 0 && (telling[at]?.to ?? 0) >= from) at--;
    const before = telling[at];
    const after = telling[upTo(sent, to)];
    if (!before || !after || after.to > ownEnd(history, before) - TOLERANCE) return false;
    return (after.remaining ?? 0) >= (before.remaining ?? 0);
  };
}
