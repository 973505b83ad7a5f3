import { LIMITS } from '../catalogue/limits.ts';
import type { SharedKeys } from '../deployment/deviations/shared-keys.ts';
import { type Arrival, heldBy } from './arrival.ts';
import { isArrivalOf } from './arrival-class.ts';
import type { Behaviour } from './behaviour.ts';
import { isDeferred } from './mechanisms/limiter.ts';

/** Budgets that several keys draw on, or anyone: then requests are counted before their key is checked. */
export function sharedBudgets(
  { kinds, blocks, only, anyone }: SharedKeys,
  behaviour: Behaviour,
): Pick<Behaviour, 'charge'> & Partial<Behaviour> {
  const firstThere = new Map<number, string>();
  const payerOf = ({ presentation, connection }: Arrival): string | undefined => {
    const name = presentation.holder?.name ?? '';
    if (blocks !== 'of the connection') return blocks.find((keys) => anyone || keys.includes(name))?.[0];
    const payer = firstThere.get(connection) ?? name;
    firstThere.set(connection, payer);
    return payer;
  };
  const charge: Behaviour['charge'] = (arrival, kind) => {
    const payer = payerOf(arrival);
    const isMeant = only === undefined || isArrivalOf(only, arrival);
    if (payer === undefined || !kinds.includes(kind) || !isMeant) return behaviour.charge(arrival, kind);
    const own = behaviour.charge(heldBy(arrival, payer), kind);
    return only ? { ...own, name: `${own.name} together` } : own;
  };
  if (!anyone) return { charge };
  return {
    charge,
    refusesUnknown(arrival, now) {
      if (behaviour.refusesUnknown(arrival, now)) return true;
      const { kind } = arrival;
      if (!kinds.includes(kind)) return false;
      const { counter, name } = charge(arrival, kind);
      const decision = behaviour.limiters[counter].decide(name, LIMITS[kind], now);
      return !isDeferred(decision) && !decision.accepted;
    },
  };
}
