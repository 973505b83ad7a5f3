import { type AnyLimiter, routed } from './limiter.ts';

/**
 * Makes limiters that keep so many counters together, and drop the one that was used the longest ago. A budget whose
 * counter was dropped begins anew.
 *
 * @param counterOf the name of the counter of a budget; left out: each has its own
 */
export function evicting(
  kept: number,
  counterOf = (budget: string): string => budget,
): (limiter: AnyLimiter) => AnyLimiter {
  /** In order of their last use. */
  const inUse = new Set<string>();
  const lives = new Map<string, number>();
  const nameOf = (budget: string): string => `${budget} ${lives.get(counterOf(budget)) ?? 0}`;
  return (limiter) => {
    const living = routed((budget) => [limiter, nameOf(budget)]);
    return {
      ...living,
      decide(budget, limit, now, request) {
        inUse.delete(counterOf(budget));
        inUse.add(counterOf(budget));
        const [oldest] = inUse;
        if (inUse.size > kept && oldest !== undefined) {
          inUse.delete(oldest);
          lives.set(oldest, (lives.get(oldest) ?? 0) + 1);
        }
        return living.decide(budget, limit, now, request);
      },
    };
  };
}
