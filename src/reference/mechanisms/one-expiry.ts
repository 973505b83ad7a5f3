import { WINDOW } from '../../deployment/deployment.ts';
import type { Kind } from '../../trace/exchange.ts';
import type { AnyLimiter } from './limiter.ts';

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
  const expiring = (limiter: AnyLimiter): AnyLimiter => ({
    ...limiter,
    decide: (budget, limit, now, request) => limiter.decide(inRecord(budget, now), limit, now, request),
    peek: (budget, limit, now, node) => limiter.peek(inRecord(budget, now), limit, now, node),
    refund: (budget, decision, now) => limiter.refund(inRecord(budget, now), decision, now),
    badRequest: (budget, status, now) => limiter.badRequest?.(inRecord(budget, now), status, now),
    requestBeside: (budget, now) => limiter.requestBeside?.(inRecord(budget, now), now),
  });
  return { read: expiring(limiters.read), write: expiring(limiters.write) };
}
