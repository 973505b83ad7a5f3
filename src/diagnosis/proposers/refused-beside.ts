import type { RefusedBeside } from '../../deployment/deviations/refused-beside.ts';
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
  readonly perhaps: number;
  readonly surely: number;
  /** Its end, at the earliest and at the latest. */
  readonly until: number;
  readonly atMost: number;
}

/** Whose budgets refuse others, of those beside one. */
interface Whose {
  readonly of: RefusedBeside['of'];
  readonly beside: (own: History) => readonly History[];
}

/**
 * Requests that are refused while another budget is spent, or for some time after it refused: that of the other kind, or
 * those of other keys. None is let through then. The rest must be explained without these refusals.
 */
export function* proposeRefusedBeside(world: World, { kind, otherKind }: SearchContext): Iterable<Proposal> {
  const ways: readonly Whose[] = [
    { of: 'the other kind', beside: ({ key }) => otherKind.filter((other) => other.key === key) },
    { of: 'another key', beside: ({ key }) => world.histories.filter((other) => other.key !== key) },
  ];
  for (const { of, beside } of ways) {
    const found = MEMORIES.flatMap((memory) => {
      const refused = refusedIn(world, (own) => beside(own).flatMap((other) => closedBy(other, memory)));
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
function refusedIn({ histories }: World, beside: (own: History) => readonly Closed[]): ReadonlySet<Event> | null {
  const refused = new Set<Event>();
  for (const history of histories) {
    const closed = beside(history);
    for (const event of history.events) {
      if (isLetThrough(event) && closed.some((time) => liesIn(event, time))) return null;
      if (event.outcome === 'refused' && closed.some((time) => mayLieIn(event, time))) refused.add(event);
    }
  }
  return refused;
}

/** When a budget is closed, and the time of which nothing is known. @param memory as in `RefusedBeside`; null: none */
function closedBy(history: History, memory: number | null): readonly Closed[] {
  const [perhaps, never] = [history.until, Number.POSITIVE_INFINITY];
  const unknown = { perhaps, surely: never, until: never, atMost: never };
  return [...(memory === null ? spentIn(history) : afterRefusals(history, memory)), unknown];
}

/** The windows of a budget that were spent, by the markers of their answers. */
function spentIn({ events, offset }: History): readonly Closed[] {
  const windows = new Map<number, Closed>();
  for (const { outcome, remaining, reset, from, to } of events) {
    const isLast = outcome === 'accepted' && remaining === 0;
    if (reset === null || !(isLast || outcome === 'refused')) continue;
    const { perhaps, surely } = windows.get(reset) ?? { perhaps: from, surely: Number.POSITIVE_INFINITY };
    const end = reset - likelyOffset(offset);
    windows.set(reset, {
      perhaps: Math.min(perhaps, from),
      surely: outcome === 'refused' ? Math.min(surely, to) : surely,
      until: end - ROUNDED,
      atMost: end + ROUNDED,
    });
  }
  return [...windows.values()];
}

/** The times after refusals: until the memory of the first one ends or its window does, or until that of the last one ends. */
function afterRefusals({ events, offset }: History, memory: number): readonly Closed[] {
  const times: Closed[] = [];
  for (const { outcome, reset, from, to } of events) {
    if (outcome !== 'refused') continue;
    const last = times.at(-1);
    if (last && from <= last.atMost) {
      times[times.length - 1] = { ...last, atMost: Math.max(last.atMost, to + memory) };
      continue;
    }
    const end = reset === null ? Number.POSITIVE_INFINITY : reset - likelyOffset(offset) - ROUNDED;
    times.push({ perhaps: from, surely: to, until: Math.min(from + memory, end), atMost: to + memory });
  }
  return times;
}

/** How far a marker may be rounded, in µs. */
const ROUNDED = 1_000_000;

function mayLieIn({ from, to }: Event, { perhaps, atMost }: Closed): boolean {
  return to >= perhaps && from <= atMost;
}

function liesIn({ from, to }: Event, { surely, until }: Closed): boolean {
  return from > surely && to < until;
}
