import type { RefusedBeside } from '../../deployment/deviations/refused-beside.ts';
import { below, upTo } from '../../oracle/counts.ts';
import { type Event, type History, isLetThrough, likelyOffset } from '../../oracle/history.ts';
import { DEVIATION_BITS, MOMENT_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { changed, unclear, type World, withEvents } from '../world.ts';
import { bitsOfLength } from './round.ts';
import { BLOCKS } from './trigger.ts';

/** Bits to state whose budget it is. */
const WHOSE_BITS = 1;

/**
 * Both kinds and all keys are often spent at the same time, and others may spend one budget while another is spent. So it
 * costs as much as two moments of such use: only what comes again and again shows it.
 */
const COINCIDENCE_BITS = 2 * MOMENT_BITS;

/** A time in which a budget refuses requests of others as well, in µs. */
interface Closed {
  /** The key whose budget it is. */
  readonly by: string;
  readonly perhaps: number;
  readonly surely: number;
  /** Its end, at the earliest and at the latest. */
  readonly until: number;
  readonly atMost: number;
}

/** Whose budgets refuse others. */
interface Whose {
  readonly of: RefusedBeside['of'];
  /** These budgets, in groups that refuse together. */
  readonly groups: readonly (readonly History[])[];
  /** Which of the groups refuses requests of a budget. */
  readonly groupOf: (own: History) => readonly History[] | undefined;
}

/**
 * Requests that are refused while another budget is spent, or for some time after it refused: that of the other kind, or
 * those of other keys. None is let through then. The rest must be explained without these refusals.
 */
export function* proposeRefusedBeside(world: World, { kind, otherKind }: SearchContext): Iterable<Proposal> {
  const byKey = Map.groupBy(otherKind, ({ key }) => key);
  const ways: readonly Whose[] = [
    { of: 'the other kind', groups: [...byKey.values()], groupOf: ({ key }) => byKey.get(key) },
    { of: 'another key', groups: [world.histories], groupOf: () => world.histories },
  ];
  for (const whose of ways) {
    const { of } = whose;
    const found = MEMORIES.flatMap((memory) => {
      const refused = refusedIn(world, whose, memory);
      return refused && refused.size > 0 ? [{ memory, refused }] : [];
    });
    // Of those that explain the same refusals, the plainest is enough.
    for (const { memory, refused } of new Map(found.map((each) => [each.refused.size, each])).values()) {
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

/** For how long a refusal may be remembered, in µs; null: while the budget is spent. The plainest comes last. */
const MEMORIES = [null, ...BLOCKS].sort((one, other) => bitsOfMemory(other) - bitsOfMemory(one));

/** What was refused while budgets beside it were closed; null if anything was let through then. */
function refusedIn(
  { histories }: World,
  { of, groups, groupOf }: Whose,
  memory: number | null,
): ReadonlySet<Event> | null {
  const times = new Map(
    groups.map((group) => {
      const closed = group.flatMap((history) => closedBy(history, memory));
      const surely = spansOf(closed, ({ surely, until }) => [surely, until]);
      return [group, { surely, perhaps: spansOf(closed, ({ perhaps, atMost }) => [perhaps, atMost]) }] as const;
    }),
  );
  const refused = new Set<Event>();
  for (const own of histories) {
    const closed = times.get(groupOf(own) ?? []);
    if (!closed) continue;
    const { surely, perhaps } = closed;
    const without = of === 'another key' ? own.key : null;
    for (const event of own.events) {
      const { from, to } = event;
      // It was sent after a budget was surely closed, and answered before that ended.
      if (isLetThrough(event) && latestEnd(surely, below(surely.starts, from), without) > to) return null;
      if (event.outcome !== 'refused') continue;
      if (latestEnd(perhaps, upTo(perhaps.starts, to), without) >= from) refused.add(event);
    }
  }
  return refused;
}

/** When a budget is closed, and the time of which nothing is known. @param memory as in `RefusedBeside`; null: none */
function closedBy(history: History, memory: number | null): readonly Closed[] {
  const [perhaps, never] = [history.until, Number.POSITIVE_INFINITY];
  const unknown = { by: history.key, perhaps, surely: never, until: never, atMost: never };
  return [...(memory === null ? spentIn(history) : afterRefusals(history, memory)), unknown];
}

/** The windows of a budget that were spent, by the markers of their answers. */
function spentIn({ key, events, offset }: History): readonly Closed[] {
  const windows = new Map<number, Closed>();
  for (const { outcome, remaining, reset, from, to } of events) {
    const isLast = outcome === 'accepted' && remaining === 0;
    if (reset === null || !(isLast || outcome === 'refused')) continue;
    const { perhaps, surely } = windows.get(reset) ?? { perhaps: from, surely: Number.POSITIVE_INFINITY };
    const end = reset - likelyOffset(offset);
    windows.set(reset, {
      by: key,
      perhaps: Math.min(perhaps, from),
      surely: outcome === 'refused' ? Math.min(surely, to) : surely,
      until: end - ROUNDED,
      atMost: end + ROUNDED,
    });
  }
  return [...windows.values()];
}

/** The times after refusals: until the memory of the first one ends or its window does, or until that of the last one ends. */
function afterRefusals({ key, events, offset }: History, memory: number): readonly Closed[] {
  const times: Closed[] = [];
  for (const { outcome, reset, from, to } of events) {
    if (outcome !== 'refused') continue;
    const last = times.at(-1);
    if (last && from <= last.atMost) {
      times[times.length - 1] = { ...last, atMost: Math.max(last.atMost, to + memory) };
      continue;
    }
    const end = reset === null ? Number.POSITIVE_INFINITY : reset - likelyOffset(offset) - ROUNDED;
    times.push({ by: key, perhaps: from, surely: to, until: Math.min(from + memory, end), atMost: to + memory });
  }
  return times;
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

function spansOf(closed: readonly Closed[], spanOf: (time: Closed) => readonly [number, number]): Spans {
  const spans = closed
    .map((time) => ({ by: time.by, span: spanOf(time) }))
    .sort((one, other) => one.span[0] - other.span[0]);
  let last = NEVER;
  const lasts = spans.map(({ by, span: [, end] }) => {
    if (by === last.by) last = { ...last, end: Math.max(last.end, end) };
    else if (end > last.end) last = { by, end, ofOthers: last.end };
    else last = { ...last, ofOthers: Math.max(last.ofOthers, end) };
    return last;
  });
  return { starts: Float64Array.from(spans, ({ span: [start] }) => start), last: lasts };
}

const NEVER: End = { by: null, end: Number.NEGATIVE_INFINITY, ofOthers: Number.NEGATIVE_INFINITY };

/** The latest end of the first so many times, without those of one key. */
function latestEnd({ last }: Spans, count: number, without: string | null): number {
  const { by, end, ofOthers } = last[count - 1] ?? NEVER;
  return by !== null && by === without ? ofOthers : end;
}
