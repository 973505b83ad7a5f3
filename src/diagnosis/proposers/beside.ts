import { below, upTo } from '../../oracle/ascending.ts';
import { type Event, type History, WINDOW } from '../../oracle/history.ts';
import { isSuccess } from '../../trace/exchange.ts';
import { clocked } from '../clocked.ts';
import { bitsToChoose, DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { inOrder, isDecided, type Times, timesOf, unclear, type World } from '../world.ts';
import { keepsItsMarkers } from './kept-markers.ts';
import { RULE_BITS, UNTOLD_BITS } from './trigger.ts';
import { endless, ownEnd, type Parts, partsOf, TOLERANCE } from './window-parts.ts';

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
  for (const { trigger, after, operations, bits, enders } of [...WAYS, ...someOperations(histories, besideOf)]) {
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
          parameters: { kinds: [kind], trigger, ...(operations ? { operations } : {}), to: { after }, idle: 0, told },
        },
      ],
      bits: DEVIATION_BITS + RULE_BITS + WAY_BITS + (bits ?? 0) + (told ? 0 : UNTOLD_BITS),
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

/**
 * How the end of a window moves, and what moves it: whether requests count of which the specification says nothing is
 * open.
 */
interface Way {
  readonly trigger: 'other kind' | 'one expiry';
  readonly after: number;
  /** If only some operations of the other kind move it: these, and the bits to state them. */
  readonly operations?: readonly string[];
  readonly bits?: number;
  readonly enders: (beside: readonly Event[], history: History) => readonly Event[];
}

const WAYS: readonly Way[] = [
  { trigger: 'other kind', after: 0, enders: (beside) => beside.filter(hasSucceeded) },
  { trigger: 'other kind', after: 0, enders: (beside) => beside.filter(({ outcome }) => outcome === 'accepted') },
  { trigger: 'other kind', after: WINDOW, enders: (beside) => beside.filter(hasSucceeded) },
  { trigger: 'one expiry', after: 0, enders: (beside, { events }) => expiriesOf(inOrder([...beside, ...events])) },
];

/**
 * A few operations of the other kind after which requests have more left than before, if it is so after some only: each
 * time one of them was sent between the two.
 */
function someOperations(
  histories: readonly History[],
  besideOf: (history: History) => readonly Event[],
): readonly Way[] {
  const all = new Set<string>();
  const apart = new Set<string>();
  const together: (readonly string[])[] = [];
  for (const history of histories) {
    const gapAt = gapsOf(history);
    const beside = besideOf(history).filter((event) => hasSucceeded(event) && event.exchange.operation !== null);
    const gaps = new Map<Event, Gap>();
    for (const event of beside) {
      const operation = event.exchange.operation ?? '';
      all.add(operation);
      const gap = gapAt(event);
      if (gap?.hasMore === false) apart.add(operation);
      if (gap?.hasMore === true) gaps.set(gap.after, gap);
    }
    for (const { before, after } of gaps.values()) {
      const within = beside.filter(({ from, to }) => to >= before.from && from <= after.to);
      together.push(within.map(({ exchange: { operation } }) => operation ?? ''));
    }
  }
  const operations = coverOf(together.map((some) => some.filter((name) => !apart.has(name))));
  if (operations.length === 0 || apart.size === 0) return [];
  const enders = (beside: readonly Event[]): readonly Event[] =>
    beside.filter((event) => hasSucceeded(event) && operations.includes(event.exchange.operation ?? ''));
  const bits = Math.log2(all.size) + bitsToChoose(all.size, operations.length);
  return [{ trigger: 'other kind', after: 0, operations, bits, enders }];
}

/** A few names of which one is in each group that is not empty: always the one that is in most of the rest. */
function coverOf(groups: readonly (readonly string[])[]): readonly string[] {
  const found: string[] = [];
  for (let rest = groups.filter(({ length }) => length > 0); rest.length > 0; ) {
    const [[most = ''] = []] = [
      ...Map.groupBy(
        rest.flatMap((group) => [...new Set(group)]),
        (name) => name,
      ),
    ].sort(([, one], [, other]) => other.length - one.length);
    found.push(most);
    rest = rest.filter((group) => !group.includes(most));
  }
  return found.sort();
}

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
  const gapAt = gapsOf(history);
  return {
    parts: sections.flatMap(({ parts }) => parts),
    isMoved: beside.some((each) => gapAt(each)?.hasMore === true),
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

/** What a request beside a history shows of it. */
interface Gap {
  /** The last request before it, and the first after it. */
  readonly before: Event;
  readonly after: Event;
  /** Whether that has no less left than the last one before, although the window had not ended; null: open. */
  readonly hasMore: boolean | null;
}

/** The gap in which a request beside a history was sent; null if the window had ended by then, or if it shows none. */
function gapsOf(history: History): (beside: Event) => Gap | null {
  const telling = history.events.filter(({ outcome, remaining }) => outcome === 'accepted' && remaining !== null);
  const { sent } = timesOf(telling);
  const all = timesOf(history.events);
  return ({ from, to }) => {
    let at = below(sent, from) - 1;
    while (at >= 0 && (telling[at]?.to ?? 0) >= from) at--;
    const before = telling[at];
    let next = upTo(sent, to);
    const after = telling[next];
    if (!before || !after || after.to > ownEnd(history, before) - TOLERANCE) return null;
    // Any of those under way at once may have been the first.
    let most = 0;
    for (let each = telling[next]; each && each.from <= after.to; each = telling[++next]) {
      most = Math.max(most, each.remaining ?? 0);
    }
    if (most >= (before.remaining ?? 0)) return { before, after, hasMore: true };
    // What was sent between them may have been counted, too.
    return { before, after, hasMore: below(all.sent, after.from) === upTo(all.sent, before.from) ? false : null };
  };
}
