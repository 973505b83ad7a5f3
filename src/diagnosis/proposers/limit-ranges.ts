import { anyCounting, groupsOf } from '../../oracle/failed-groups.ts';
import { modelsOf } from '../../oracle/first-contradiction.ts';
import type { Event, History, Range } from '../../oracle/history.ts';
import { phaseByMarkers } from '../../oracle/marker-phase.ts';
import type { Model } from '../../oracle/model.ts';
import { type Shape, variantOf } from '../../oracle/shapes.ts';
import type { Work } from '../../oracle/work.ts';
import { isDecided, limitTold, unclear, type World, withEvents } from '../world.ts';
import { NEVER } from './limit.ts';

/** The limits under which a request gets its answer; null: it tells nothing. */
export type LimitRange = (event: Event) => Range | null;

/** Limits as each answer states them. */
export function rangeTold(event: Event): Range | null {
  const limit = limitTold(event);
  return limit === null ? null : { low: limit, high: limit };
}

/** Limits as a mechanism leaves them open. */
export interface Ranges {
  /** By what was let through and refused. */
  readonly decided: LimitRange;
  /** Also by Remaining, if it counts down from the limit. */
  readonly left: LimitRange;
}

/**
 * The limits under which a mechanism, whose windows are where the markers say, gives each answer.
 *
 * @param refused whether refusals may be counted
 */
export function rangesUnder(shape: Shape, world: World, refused: boolean, work: Work): Ranges {
  const variant = variantOf(shape, anyCounting(groupsOf(world.histories)));
  const decided = new Map<Event, Range>();
  const left = new Map<Event, Range>();
  for (const history of world.histories) {
    const phase = phaseByMarkers(history, world.window);
    const models = modelsOf(variant, unlimited(history, refused), phase, world.window);
    work.spend(models.length * history.events.length);
    for (const event of history.events) {
      const counted = isDecided(event) ? countedBefore(event, models) : null;
      if (!counted) continue;
      const { outcome, remaining } = event;
      const own = outcome === 'refused' ? { low: 0, high: counted.high } : { low: counted.low + 1, high: NEVER };
      decided.set(event, own);
      const isTold = outcome === 'accepted' && remaining !== null;
      left.set(event, isTold ? { low: remaining + counted.low + 1, high: remaining + counted.high + 1 } : own);
    }
  }
  return { decided: (event) => decided.get(event) ?? null, left: (event) => left.get(event) ?? null };
}

/** The history without refusals, which its windows do not need, or with what they may count. */
function unlimited(history: History, refused: boolean): History {
  const passed = withEvents(history, (event) =>
    event.outcome !== 'refused' ? event : refused ? unclear(event) : null,
  );
  return { ...passed, limit: NEVER, shown: NEVER };
}

/** How many requests had been counted before this one, wherever windows lie; null: it can have been decided in none. */
function countedBefore(event: Event, models: readonly Model[]): Range | null {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const model of models) {
    for (const each of model.alternatives(event)) {
      low = Math.min(low, each.low);
      high = Math.max(high, each.high);
    }
  }
  return low <= high ? { low, high } : null;
}
