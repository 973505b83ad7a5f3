import { WINDOW } from '../../deployment/deployment.ts';
import type { Kind } from '../../trace/exchange.ts';
import { type AnyLimiter, routed } from './limiter.ts';

/**
 * Limiters of both kinds whose counts for a key are in one record. It expires a minute after the first request of either
 * kind, and both counts with it.
 */
export function withOneExpiry(limiters: Readonly<Record<Kind, AnyLimiter>>): Readonly<Record<Kind, AnyLimiter>> {
  const records = new Map<string, { readonly until: number; readonly number: number }>();
  const inRecord = (budget: string, now: number): string => {
    const key = budget.replace(/ (read|write)$/, '');
    const last = records.get(key);
    if (last && now < last.until) return `${budget} ${last.number}`;
    const number = (last?.number ?? 0) + 1;
    records.set(key, { until: now + WINDOW, number });
    return `${budget} ${number}`;
  };
  return {
    read: routed((budget, now) => [limiters.read, inRecord(budget, now)]),
    write: routed((budget, now) => [limiters.write, inRecord(budget, now)]),
  };
}
