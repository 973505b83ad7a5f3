import type { RefusedBeside } from '../../deployment/deviations/refused-beside.ts';
import { below, numbersOf, upTo } from '../../oracle/ascending.ts';
import { type Event, type History, isLetThrough, likelyOffset, WINDOW } from '../../oracle/history.ts';
import { bitsOfNumber, DEVIATION_BITS, MOMENT_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { leftOpen, type Times, timesOf, type World } from '../world.ts';
import { bitsOfLength } from './round.ts';
import { BLOCKS } from './told-blocks.ts';

/** Bits to state whose budget it is: that of the other kind, of another key, or the same (`penalty.ts`). */
export const WHOSE_BITS = Math.log2(3);

/**
 * Both kinds and all keys are often spent at the same time, and others may spend one budget while another is spent. So
 * it costs as much as two moments of such use: only what comes again and again shows it.
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
 * Requests that are refused while another budget is spent, or for some time after it refused: that of the other kind,
 * or those of other keys. None is let through then. The rest must be explained without these refusals.
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
    const found = [...whileSpent(world, whose), ...remembered(world, whose)]
      .filter(({ refused }) => refused.size > 0)
      .sort((one, other) => bitsOfRule(one.rule) - bitsOfRule(other.rule));
    // Of those that explain the same refusals, the plainest is enough.
    const sizes = found.map(({ refused }) => refused.size);
    for (const { rule, refused } of found.filter((_, at) => sizes.indexOf(sizes[at] ?? 0) === at)) {
      yield {
        deviations: [{ operator: 'refused-beside', parameters: { kinds: [kind], of, ...rule } }],
        bits: DEVIATION_BITS + WHOSE_BITS + COINCIDENCE_BITS + bitsOfRule(rule),
        world: leftOpen(world, (event) => refused.has(event)),
      };
    }
  }
}

/** When a budget refuses requests of others as well. */
type Rule = Pick<RefusedBeside, 'memory' | 'nth'>;

function bitsOfRule({ memory, nth = 1 }: Rule): number {
  return memory === undefined ? bitsOfNumber(nth - 1) : bitsOfLength(memory);
}

/** After how many refusals in a window, as people choose such numbers. */
const COUNTS = [2, 3, 4, 5, 6, 8, 10, 15, 20, 25] as const;
const MOST_COUNTED = COUNTS.at(-1) ?? 1;

/** A rule, and what it refuses. */
interface Ruled {
  readonly rule: Rule;
  readonly refused: ReadonlySet<Event>;
}

/**
 * While the budget is spent; or, if something was let through then, after the fewest refusals with which nothing was.
 * Only a key can be banned so: of several keys that are spent at the same time, some are always refused after others.
 */
function whileSpent(world: World, whose: Whose): readonly Ruled[] {
  const [plain] = underRule(world, whose, {});
  // With more refusals less is closed, so if something was let through even then, fewer need not be tried.
  const isOpen = !plain && whose.of === 'the other kind';
  if (!isOpen || underRule(world, whose, { nth: MOST_COUNTED }).length === 0) return plain ? [plain] : [];
  for (const nth of COUNTS) {
    const [found] = underRule(world, whose, { nth });
    if (found) return [found];
  }
  return [];
}

function remembered(world: World, whose: Whose): readonly Ruled[] {
  return BLOCKS.flatMap((memory) => underRule(world, whose, { memory }));
}

function underRule(world: World, whose: Whose, rule: Rule): readonly Ruled[] {
  const refused = refusedIn(world, whose, rule);
  return refused ? [{ rule, refused }] : [];
}

/** What was refused while budgets beside it were closed; null if anything was let through then. */
function refusedIn({ histories }: World, { of, groups, groupOf }: Whose, rule: Rule): ReadonlySet<Event> | null {
  const perhaps = new Map(groups.map((group) => [group, spansOf(group, (each) => perhapsClosed(each, rule))]));
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
      spansOf(group, (each) => surelyClosed(each, rule, (event) => !isBeside(each, event))),
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
 * The times in which a budget may be closed: in its spent windows or after refusals, and the time of which nothing is
 * known. If several refusals have to come first, as many were sent within the last minute.
 */
function perhapsClosed(history: History, { memory, nth = 1 }: Rule): readonly Closed[] {
  const { key, events, until, offset } = history;
  const closed: Closed[] = [{ by: key, from: until, until: Number.POSITIVE_INFINITY }];
  const mayBeSpent = spentPerhaps(history);
  /** When refusals were sent, in order. */
  const sent: number[] = [];
  for (const { outcome, remaining, reset, from, to } of events) {
    if (outcome === 'refused') sent.push(from);
    const isLast = outcome === 'accepted' && remaining === 0 && nth === 1;
    const isNth = (sent.at(-nth) ?? Number.NEGATIVE_INFINITY) > from - WINDOW;
    const isRefused = outcome === 'refused' && isNth && mayBeSpent(from, to);
    if (memory !== undefined && isRefused) closed.push({ by: key, from, until: to + memory });
    if (memory !== undefined || reset === null || !(isLast || isRefused)) continue;
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
 * The times in which a budget is surely closed, each begun by a refusal of its own, or by the last one of several in a
 * window: until its window ends or the memory of the first refusal does, as later ones may not prolong it.
 */
function surelyClosed(
  { key, events, offset }: History,
  { memory, nth = 1 }: Rule,
  isOwn: (event: Event) => boolean,
): readonly Closed[] {
  const closed: Closed[] = [];
  let remembered = Number.NEGATIVE_INFINITY;
  /** When the first refusals of a window were answered, by the marker of its end. */
  const answers = new Map<number | null, number[]>();
  for (const event of events) {
    const { outcome, reset, from, to } = event;
    if (outcome !== 'refused' || (memory === undefined && reset === null)) continue;
    const isFirst = from > remembered;
    remembered = memory === undefined ? remembered : Math.max(remembered, to + memory);
    if (!isFirst || !isOwn(event)) continue;
    let begun = to;
    if (nth > 1) {
      const own = answers.get(reset) ?? [];
      answers.set(reset, own);
      if (own.push(to) !== nth) continue;
      begun = Math.max(...own);
    }
    const end = reset === null ? Number.POSITIVE_INFINITY : reset - likelyOffset(offset) - ROUNDED;
    closed.push({ by: key, from: begun, until: memory === undefined ? end : Math.min(end, from + memory) });
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
  return { starts: numbersOf(closed, ({ from }) => from), last: lasts };
}

const NEVER: End = { by: null, end: Number.NEGATIVE_INFINITY, ofOthers: Number.NEGATIVE_INFINITY };

/** The latest end of the first so many times, without those of one key. */
function latestEnd({ last }: Spans, count: number, without: string | null): number {
  const { by, end, ofOthers } = last[count - 1] ?? NEVER;
  return by !== null && by === without ? ofOthers : end;
}
