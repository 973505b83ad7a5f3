import type { Decision, Limiter } from './limiter.ts';
import { WINDOW } from './limiter.ts';

/** What can be wrong with a sliding log. */
export interface LogFaults {
  /** Old entries are thrown out after the decision, so that one request still sees them. */
  readonly evictsLate?: boolean;
  /** Entries are named by their time in units of this many µs, so that two within one unit are one. */
  readonly memberUnit?: number;
  /** Every other marker is one window from now instead of one from the oldest entry. */
  readonly wanderingMarker?: boolean;
}

/** A sliding log with faults. With none, it is `slidingLogLimiter` (`sliding-log.ts`). */
export function faultyLogLimiter({ evictsLate, memberUnit, wanderingMarker }: LogFaults): Limiter {
  const logs = new Map<string, number[]>();
  let asked = 0;
  const entries = (budget: string): number[] => logs.get(budget) ?? [];
  const evict = (budget: string, now: number): void => {
    logs.set(
      budget,
      entries(budget).filter((time) => time > now - WINDOW),
    );
  };
  const member = (time: number): number => Math.floor(time / (memberUnit ?? 1));
  const marker = (log: readonly number[], now: number): number =>
    (wanderingMarker && asked++ % 2 === 0 ? now : (log[0] ?? now)) + WINDOW;

  return {
    decide(budget, limit, now) {
      if (!evictsLate) evict(budget, now);
      const log = entries(budget);
      const same = memberUnit !== undefined && log.length > 0 && member(log.at(-1) ?? 0) === member(now);
      const accepted = same || log.length < limit;
      if (accepted && !same) log.push(now);
      logs.set(budget, log);
      const decision: Decision = {
        accepted,
        limit,
        remaining: accepted ? limit - log.length : 0,
        reset: marker(log, now),
        stamp: now,
      };
      if (evictsLate) evict(budget, now);
      return decision;
    },
    peek(budget, limit, now) {
      const log = entries(budget);
      const remaining = Math.max(0, limit - log.length);
      return { accepted: remaining > 0, limit, remaining, reset: marker(log, now), stamp: now };
    },
    refund() {},
  };
}

/** A sliding counter on whole minutes that forgets its previous bucket when half of the current one is gone. */
export function forgetfulCounterLimiter(): Limiter {
  const budgets = new Map<string, { index: number; current: number; previous: number }>();
  const standing = (budget: string, limit: number, now: number): Decision => {
    const index = Math.floor(now / WINDOW);
    const last = budgets.get(budget) ?? { index, current: 0, previous: 0 };
    if (last.index < index) {
      last.previous = last.index === index - 1 ? last.current : 0;
      last.current = 0;
      last.index = index;
    }
    budgets.set(budget, last);
    const gone = now / WINDOW - index;
    const weight = gone < 0.5 ? Math.floor(last.previous * (1 - gone)) : 0;
    const remaining = Math.max(0, limit - weight - last.current);
    return { accepted: remaining > 0, limit, remaining, reset: (index + 1) * WINDOW, stamp: index };
  };
  return {
    decide(budget, limit, now) {
      const before = standing(budget, limit, now);
      const counter = budgets.get(budget);
      if (before.accepted && counter) counter.current++;
      return { ...before, remaining: Math.max(0, before.remaining - 1) };
    },
    peek: standing,
    refund() {},
  };
}

/** Windows of one second that let a minute's limit through in proportion, and tell it as if it were the minute's. */
export function perSecondLimiter(): Limiter {
  const second = WINDOW / 60;
  const windows = new Map<string, { start: number; count: number }>();
  const standing = (budget: string, limit: number, now: number): Decision => {
    const start = Math.floor(now / second) * second;
    const last = windows.get(budget);
    const current = last?.start === start ? last : { start, count: 0 };
    windows.set(budget, current);
    const share = Math.ceil(limit / 60);
    const left = Math.max(0, share - current.count);
    const remaining = Math.floor((left * limit) / share);
    return { accepted: left > 0, limit, remaining, reset: start + second, stamp: start };
  };
  return {
    decide(budget, limit, now) {
      const { accepted } = standing(budget, limit, now);
      const window = windows.get(budget);
      if (accepted && window) window.count++;
      return { ...standing(budget, limit, now), accepted };
    },
    peek: standing,
    refund() {},
  };
}
