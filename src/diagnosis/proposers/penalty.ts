import { type Event, type History, isLetThrough } from '../../oracle/history.ts';
import { bitsOfNumber, DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { changed, type World, withEvents } from '../world.ts';
import { tells } from './block.ts';
import { WHOSE_BITS } from './refused-beside.ts';
import { bitsOfLength } from './round.ts';
import { blocksToTry } from './told-blocks.ts';
import { RULE_BITS, UNTOLD_BITS } from './trigger.ts';
import { isRefusal } from './window-parts.ts';

/** Bits to state the rule: it is one more way in which a refusal can change what a marker tells, or none. */
const RULE = DEVIATION_BITS + RULE_BITS + WHOSE_BITS;

/**
 * Requests that are refused for some time after the limiter refused one of the same budget, or several, whatever its
 * window does meanwhile. None is let through then, and what is refused so is not counted. The rest must be explained
 * without these refusals.
 */
export function* proposePenalties(world: World, { kind }: SearchContext): Iterable<Proposal> {
  const { lengths, strikes } = blocksToTry(world.histories);
  for (const [nth, memory] of [1, ...strikes].flatMap((each) => lengths.map((length) => [each, length] as const))) {
    const split = world.histories.map((history) => penaltiesIn(history, memory, nth));
    const found = split.flatMap((each) => each ?? []);
    const refused = new Set(found.flatMap((each) => each.refused));
    if (found.length < split.length || refused.size === 0) continue;
    const areTold = found.every(({ isTold }) => isTold);
    const telling = new Set(areTold ? found.flatMap((each) => each.telling) : []);
    yield {
      deviations: [
        {
          operator: 'refused-beside',
          parameters: { kinds: [kind], of: 'the same budget', memory, ...(nth > 1 && { nth }) },
        },
      ],
      bits: RULE + (areTold ? 0 : UNTOLD_BITS) + bitsOfLength(memory) + bitsOfNumber(nth - 1),
      world: changed(world, (history) =>
        withEvents(history, (event) => {
          if (refused.has(event)) return null;
          return telling.has(event) ? { ...event, reset: null } : event;
        }),
      ),
    };
  }
}

/** The penalties in a budget. */
interface Penalties {
  /** The requests that they refused. */
  readonly refused: readonly Event[];
  /** Whether the markers of these state their ends. */
  readonly isTold: boolean;
  /** The other refusals whose marker is the end of the penalty that they begin. */
  readonly telling: readonly Event[];
}

/**
 * The penalties of this length (µs) in a budget, each of which so many refusals begin; null if something was let through
 * while one surely lasted.
 */
function penaltiesIn(history: History, memory: number, nth: number): Penalties | null {
  const refused: Event[] = [];
  const telling: Event[] = [];
  let isTold = true;
  /** When the limiter decided the refusal that began the last penalty, at the earliest and at the latest. */
  let begun: Pick<Event, 'from' | 'to'> | null = null;
  /** A refusal since then that came when the penalty ended, and may have begun the next one. */
  let next: Event | null = null;
  /** The refusals since the last penalty. */
  let strikes = 0;
  const endsAt = ({ from, to }: Pick<Event, 'from' | 'to'>): number => (from + to) / 2 + memory;
  for (const event of history.events) {
    const { from, to } = event;
    if (begun && isLetThrough(event) && from > begun.to && to < begun.from + memory) return null;
    if (!isRefusal(event)) continue;
    if (begun && from > begun.to && from <= begun.to + memory) {
      refused.push(event);
      if (to >= begun.from + memory) next ??= event;
      else if (event.outcome === 'refused') isTold &&= event.reset !== null && tells(history, event, endsAt(begun));
      continue;
    }
    if (!begun || from > begun.to) {
      const mayBeOfNext: boolean = next !== null && from <= next.to + memory;
      if (mayBeOfNext) refused.push(event);
      strikes += 1;
      if (strikes < nth && !mayBeOfNext) continue;
      strikes = 0;
      begun = { from: mayBeOfNext && next ? next.from : from, to };
      next = null;
    }
    // Those sent before the first one was answered say that the budget is spent, as it does.
    if (tells(history, event, endsAt(begun))) telling.push(event);
  }
  return { refused, isTold, telling };
}
