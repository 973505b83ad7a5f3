import type { RefusedBeside } from '../../deployment/deviations/refused-beside.ts';
import { below, upTo } from '../../oracle/counts.ts';
import { type Event, type History, isLetThrough, likelyOffset, WINDOW } from '../../oracle/history.ts';
import { DEVIATION_BITS, MOMENT_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { changed, type Times, timesOf, unclear, type World, withEvents } from '../world.ts';
import { bitsOfLength } from './round.ts';
import { BLOCKS } from './trigger.ts';

/** Bits to state whose budget it is. */
const WHOSE_BITS = 1;

/**
 * Both kinds and all keys are often spent at the same time, and others may spend one budget while another is spent. So it
 * costs as much as two moments of such use: only what comes again and again shows it.
 */
const COINCIDENCE_BITS = 2 * MOMENT_BITS;

/** Whose budgets refuse others. */
interface Whose {
  readonly of: RefusedBeside['of'];
  /** All budgets, in groups that refuse together. */
  readonly groups: readonly (readonly History[])[];
  /** Which of the groups refuses requests of a budget. */
  readonly groupOf: (own: History) => readonly History[] | undefined;
}

/** A time in which a budget refuses requests of others as well, in µs. */
interface Closed {
  /** The key whose budget it is. */
  readonly by: string;
  readonly from: number;
  readonly until: number;
}

/**
 * Requests that are refused while another budget is spent, or for some time after it refused: that of the other kind, or
 * those of other keys. None is let through then. The rest must be explained without these refusals.
 */
export function* proposeRefusedBeside(world: World, { kind, otherKind }: SearchContext): Iterable<Proposal> {
  const byKey = (histories: readonly History[]) => Map.groupBy(histories, ({ key }) => key);
  const [own, others] = [byKey(world.histories), byKey(otherKind)];
  const ways: readonly Whose[] = [
    {
      of: 'the other kind',
      groups: [...own.values(), ...others.values()],
      groupOf: (history) => (history.kind === kind ? others : own).get(history.key),
    },
    { of: 'another key', groups: [world.histories], groupOf: () => world.histories },
  ];
  for (const whose of ways) {
    const { of } = whose;
    const found = MEMORIES.flatMap((memory) => {
      const refused = refusedIn(world, whose, memory);
      return refused && refused.size > 0 ? [{ memory, refused }] : [];
    });
    // Of those that explain the same refusals, the plainest is enough.
    const sizes = found.map(({ refused }) => refused.size);
    for (const { memory, refused } of found.filter((_, at) => sizes.indexOf(sizes[at] ?? 0) === at)) {
      const remembered = memory === null ? {} : { memory };
      yield {
        deviations: [{ operator: 'refused-beside', parameters: { kinds: [kind], of, ...remembered } }],
        bits: DEVIATION_BITS + WHOSE_BITS + COINCIDENCE_BITS + bitsOfMemory(memory),
        world: changed(world, (history) =>
          withEvents(history, (event) => (refused.has(event) ? unclear(event) : event)),
        ),
      };
    }
  }
}

function bitsOfMemory(memory: number | null): number {
  return memory === null ? 0 : bitsOfLength(memory);
}

/** For how long a refusal may be remembered, in µs; null: while the budget is spent. The plainest comes first. */
const MEMORIES = [null, ...BLOCKS].sort((one, other) => bitsOfMemory(one) - bitsOfMemory(other));

/** What was refused while budgets beside it were closed; null if anything was let through then. */
function refusedIn(
  { histories }: World,
  { of, groups, groupOf }: Whose,
  memory: number | null,
): ReadonlySet<Event> | null {
  const perhaps = new Map(groups.map((group) => [group, spansOf(group, (each) => perhapsClosed(each, memory))]));
  const withoutIn = ({ key }: History): string | null => (of === 'another key' ? key : null);
  /** Whether a budget beside that of an event may have refused it. */
  const isBeside = (own: History, { from, to }: Event): boolean => {
    const spans = perhaps.get(groupOf(own) ?? []);
    return spans !== undefined && latestEnd(spans, upTo(spans.starts, to), withoutIn(own)) >= from;
  };
  // A refusal by another budget closes nothing itself.
  const surely = new Map(
    groups.map((group) => [
      group,
      spansOf(group, (each) => surelyClosed(each, memory, (event) => !isBeside(each, event))),
    ]),
  );
  const refused = new Set<Event>();
  for (const own of histories) {
    const closed = surely.get(groupOf(own) ?? []);
    if (!closed) continue;
    for (const event of own.events) {
      const { from, to } = event;
      // It was sent after a budget was surely closed, and answered before that ended.
      if (isLetThrough(event) && latestEnd(closed, below(closed.starts, from), withoutIn(own)) > to) return null;
      if (event.outcome === 'refused' && isBeside(own, event)) refused.add(event);
    }
  }
  return refused;
}

/**
 * The times in which a budget may be closed: in its spent windows or after refusals, and the time of which nothing is known.
 *
 * @param memory as in `RefusedBeside`; null: none
 */
function perhapsClosed(history: History, memory: number | null): readonly Closed[] {
  const { key, events, until, offset } = history;
  const closed: Closed[] = [{ by: key, from: until, until: Number.POSITIVE_INFINITY }];
  const mayBeSpent = spentPerhaps(history);
  for (const { outcome, remaining, reset, from, to } of events) {
    const isLast = outcome === 'accepted' && remaining === 0;
    const isRefused = outcome === 'refused' && mayBeSpent(from, to);
    if (memory !== null && isRefused) closed.push({ by: key, from, until: to + memory });
    if (memory !== null || reset === null || !(isLast || isRefused)) continue;
    closed.push({ by: key, from, until: reset - likelyOffset(offset) + ROUNDED });
  }
  return closed;
}

/** Tells whether a budget may be spent at some time: counters that slide may count what was sent in two windows. */
function spentPerhaps({ events, limit }: History): (from: number, to: number) => boolean {
  const { sent, answered } = TIMES.get(events) ?? timesOf(events);
  TIMES.set(events, { sent, answered });
  return (from, to) => upTo(sent, to) - below(answered, from - 2 * WINDOW) > limit;
}

/** Each length of memory that is tried needs them. */
const TIMES = new WeakMap<readonly Event[], Times>();

/**
 * The times in which a budget is surely closed, each begun by a refusal of its own: until its window ends or the memory of
 * the first refusal does, as later ones may not prolong it.
 */
function surelyClosed(
  { key, events, offset }: History,
  memory: number | null,
  isOwn: (event: Event) => boolean,
): readonly Closed[] {
  const closed: Closed[] = [];
  let remembered = Number.NEGATIVE_INFINITY;
  for (const event of events) {
    const { outcome, reset, from, to } = event;
    if (outcome !== 'refused' || (memory === null && reset === null)) continue;
    const isFirst = from > remembered;
    remembered = memory === null ? remembered : Math.max(remembered, to + memory);
    if (!isFirst || !isOwn(event)) continue;
    const end = reset === null ? Number.POSITIVE_INFINITY : reset - likelyOffset(offset) - ROUNDED;
    closed.push({ by: key, from: to, until: memory === null ? end : Math.min(end, from + memory) });
  }
  return closed;
}

/** How far a marker may be rounded, in µs. */
const ROUNDED = 1_000_000;

/** Times in order of their starts. */
interface Spans {
  readonly starts: Float64Array;
  /** For each, which of it and those before ends last. */
  readonly last: readonly End[];
}

/** The end of a time, the key whose it is, and the latest end of the times of other keys. */
interface End {
  readonly by: string | null;
  readonly end: number;
  readonly ofOthers: number;
}

function spansOf(group: readonly History[], closedBy: (history: History) => readonly Closed[]): Spans {
  const closed = group.flatMap(closedBy).sort((one, other) => one.from - other.from);
  let last = NEVER;
  const lasts = closed.map(({ by, until: end }) => {
    if (by === last.by) last = { ...last, end: Math.max(last.end, end) };
    else if (end > last.end) last = { by, end, ofOthers: last.end };
    else last = { ...last, ofOthers: Math.max(last.ofOthers, end) };
    return last;
  });
  return { starts: Float64Array.from(closed, ({ from }) => from), last: lasts };
}

const NEVER: End = { by: null, end: Number.NEGATIVE_INFINITY, ofOthers: Number.NEGATIVE_INFINITY };

/** The latest end of the first so many times, without those of one key. */
function latestEnd({ last }: Spans, count: number, without: string | null): number {
  const { by, end, ofOthers } = last[count - 1] ?? NEVER;
  return by !== null && by === without ? ofOthers : end;
}
