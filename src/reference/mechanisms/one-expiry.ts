import type { Kind } from '../../trace/exchange.ts';
import { opensTogether } from './fixed-window.ts';
import { type AnyLimiter, routed } from './limiter.ts';

/**
 * Limiters of both kinds whose counts for a key are in one record. It expires a minute after the first request of
 * either kind, and both counts with it.
 */
export function withOneExpiry(limiters: Readonly<Record<Kind, AnyLimiter>>): Readonly<Record<Kind, AnyLimiter>> {
  const start = opensTogether((budget) => budget.replace(/ (read|write)$/, ''));
  const inRecord = (budget: string, now: number): string => `${budget} ${start(budget, now)}`;
  return {
    read: routed((budget, now) => [limiters.read, inRecord(budget, now)]),
    write: routed((budget, now) => [limiters.write, inRecord(budget, now)]),
  };
}
