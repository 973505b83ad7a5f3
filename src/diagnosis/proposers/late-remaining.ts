import { REFUSED, SUCCEEDED } from '../../deployment/answers.ts';
import type { RemainingHeader } from '../../deployment/deviations/remaining-header.ts';
import type { Event } from '../../oracle/history.ts';
import type { Kind } from '../../trace/exchange.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { statusOf, untold, type World } from '../world.ts';
import { crowdedIn, LAG_BITS } from './crowd.ts';
import { RULE_BITS } from './header-bits.ts';
import { beforeItself, type Lateness, latenessOf } from './lateness.ts';
import { bitsOfUnseen } from './losses.ts';

/** Remaining that is late by some time, as if a copy of the count told it. What is decided must conform. */
export function* proposeLateRemaining(world: World, { kind }: SearchContext): Iterable<Proposal> {
  if (!world.layers.remaining) return;
  // A cache tells what the request left that filled it; a copy has not even the request itself.
  const late = latenessOf(world.histories, world.window);
  if (late) return yield* lateBy(late, world, kind, 0);
  const copied = beforeItself(world, new Set(['accepted']));
  const lateCopy = latenessOf(copied.histories, copied.window);
  if (!lateCopy) return;
  yield* lateBy(lateCopy, copied, kind, 1);
  yield* lateBy(lateCopy, beforeItself(world, new Set(['accepted', 'failed'])), kind, 1);
}

function* lateBy(late: Lateness, world: World, kind: Kind, more: number): Iterable<Proposal> {
  const propose = (
    only: RemainingHeader['only'],
    events: readonly Event[],
    headers: readonly ('remaining' | 'reset')[] = ['remaining'],
  ): Proposal => {
    const which = new Set(events);
    return {
      deviations: [{ operator: 'remaining-header', parameters: { kinds: [kind], change: { late: late.lag }, only } }],
      bits: DEVIATION_BITS + RULE_BITS + LAG_BITS + bitsOfUnseen(late.losses) + more,
      world: untold(world, headers, (event) => which.has(event)),
      isLast: true,
    };
  };
  // What puts the same headers on every answer, such as a gateway, tells others what was left earlier, too.
  const soon = world.histories.flatMap(({ events }) => soonIn(events, late.most));
  if (soon.some(({ outcome, remaining }) => outcome === 'refused' && (remaining ?? 0) > 0)) {
    yield propose('all', soon);
    yield propose('all', soon, ['remaining', 'reset']);
    return;
  }
  yield propose(
    { statuses: [SUCCEEDED] },
    world.histories.flatMap(({ events }) => crowdedIn(events, late.most)),
  );
  if (!soon.some(({ outcome, remaining }) => outcome === 'failed' && remaining !== null)) return;
  const statuses = new Set(world.histories.flatMap(({ events }) => events.flatMap(statusOf)));
  yield propose({ statuses: [...statuses].filter((status) => status !== REFUSED).sort() }, soon);
}

/** The requests that were answered less than so many µs after another one was. */
function soonIn(events: readonly Event[], lag: number): readonly Event[] {
  let latest = Number.NEGATIVE_INFINITY;
  return events.filter((event, at) => {
    const next = events[at + 1];
    const isSoon = event.from <= latest + lag || (next !== undefined && next.from <= event.to);
    latest = Math.max(latest, event.to);
    return isSoon;
  });
}
