import { type Event, type History, isLetThrough } from '../../oracle/history.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { changed, type World, withEvents } from '../world.ts';
import { WHOSE_BITS } from './refused-beside.ts';
import { bitsOfLength } from './round.ts';
import { BLOCKS, RULE_BITS, UNTOLD_BITS } from './trigger.ts';

/**
 * Requests that are refused for some time after the limiter refused one of the same budget, whatever its window does
 * meanwhile. None is let through then, and what is refused so is not counted. The rest must be explained without these
 * refusals.
 */
export function* proposePenalties(world: World, { kind }: SearchContext): Iterable<Proposal> {
  for (const memory of BLOCKS) {
    const refused = new Set<Event>();
    if (!world.histories.every((history) => collect(history, memory, refused)) || refused.size === 0) continue;
    yield {
      deviations: [{ operator: 'refused-beside', parameters: { kinds: [kind], of: 'the same budget', memory } }],
      // It is one more way in which a refusal can change what no marker tells.
      bits: DEVIATION_BITS + RULE_BITS + UNTOLD_BITS + WHOSE_BITS + bitsOfLength(memory),
      world: changed(world, (history) => withEvents(history, (event) => (refused.has(event) ? null : event))),
    };
  }
}

/**
 * Adds the requests of a budget that penalties of this length (µs) refused; false if something was let through while
 * one surely lasted.
 */
function collect({ events }: History, memory: number, refused: Set<Event>): boolean {
  /** When the limiter decided the refusal that began the last penalty, at the earliest and at the latest. */
  let begun: Pick<Event, 'from' | 'to'> | null = null;
  /** A refusal since then that came when the penalty ended, and may have begun the next one. */
  let next: Event | null = null;
  for (const event of events) {
    const { from, to, outcome } = event;
    if (begun && isLetThrough(event) && from > begun.to && to < begun.from + memory) return false;
    if (outcome !== 'refused') continue;
    if (!begun) begun = { from, to };
    // Those sent before the first one was answered say that the budget is spent, as it does.
    if (from <= begun.to) continue;
    if (from <= begun.to + memory) {
      refused.add(event);
      if (to >= begun.from + memory) next ??= event;
      continue;
    }
    const mayBeOfNext: boolean = next !== null && from <= next.to + memory;
    if (mayBeOfNext) refused.add(event);
    begun = { from: mayBeOfNext && next ? next.from : from, to };
    next = null;
  }
  return true;
}
