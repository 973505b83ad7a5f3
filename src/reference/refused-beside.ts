import { LIMITS } from '../catalogue/limits.ts';
import { isBeside, type RefusedBeside } from '../deployment/deviations/refused-beside.ts';
import type { Kind } from '../trace/exchange.ts';
import type { Arrival } from './arrival.ts';
import type { Behaviour } from './behaviour.ts';
import type { Decision } from './mechanisms/limiter.ts';

interface Remembered {
  readonly key: string;
  readonly kind: Kind;
  readonly decision: Decision;
  readonly until: number;
}

/** Refusals of requests whose own budget is not spent, while another one is: with the end of that one's window. */
export function refusalsBeside(
  { kinds, of, memory = Number.POSITIVE_INFINITY, nth = 1 }: RefusedBeside,
  behaviour: Behaviour,
): Pick<Behaviour, 'refusedBesides' | 'headers'> {
  /**
   * The last refusal of each budget, and whose key and kind it was. It is remembered until its reset, or for less time.
   */
  const remembered = new Map<string, Remembered>();
  /** The end of each budget's window, and its refusals in this window, or since its last penalty. */
  const counted = new Map<string, { readonly reset: number; readonly refusals: number }>();
  const refused = new Set<Arrival>();
  return {
    refusedBesides(arrival, kind, now) {
      const already = behaviour.refusedBesides(arrival, kind, now);
      if (already !== null || !kinds.includes(kind)) return already;
      const key = arrival.presentation.holder?.name ?? '';
      for (const other of remembered.values()) {
        if (!isBeside(of, other, { key, kind }) || other.until <= now) continue;
        refused.add(arrival);
        return other.decision;
      }
      return null;
    },
    headers(lines, context) {
      const { arrival, kind, status, budget, reset, decided, answered } = context;
      // What is refused by another budget spends none itself.
      if (status === 429 && budget !== null && !refused.has(arrival)) {
        const decision = { accepted: false, limit: LIMITS[kind], remaining: 0, reset, stamp: decided };
        const key = arrival.presentation.holder?.name ?? '';
        // What other budgets refuse ends with their windows. A penalty does not.
        const isPenalty = of === 'the same budget';
        const until = isPenalty ? decided + memory : Math.min(reset, decided + memory);
        const before = counted.get(budget);
        const refusals = before && (isPenalty || before.reset === reset) ? before.refusals + 1 : 1;
        const isDue = reset > answered && refusals >= nth;
        counted.set(budget, { reset, refusals: isPenalty && isDue ? 0 : refusals });
        if (isDue) remembered.set(budget, { key, kind, decision, until });
      }
      refused.delete(arrival);
      return behaviour.headers(lines, context);
    },
  };
}
