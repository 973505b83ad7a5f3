import type { Decision, Limiter } from './limiter.ts';
import { WINDOW } from './limiter.ts';

/**
 * Limiters that have no windows, and so are not admissible: what they let through depends on a level that falls or rises
 * all the time. Refunds do not exist here.
 */

interface Level {
  value: number;
  time: number;
}

/** A bucket of `limit` tokens that is refilled evenly, `limit` a minute; each request takes a token. */
export function tokenBucketLimiter(): Limiter {
  const levels = new Map<string, Level>();
  return levelLimiter(levels, (level, limit, now) => {
    level.value = Math.min(limit, level.value + ((now - level.time) * limit) / WINDOW);
    level.time = now;
    return { free: level.value, take: () => level.value-- };
  });
}

/** A bucket that leaks one request each `W / limit`, on its own beat; each request pours one in, and none may overflow. */
export function leakyBucketLimiter(): Limiter {
  const levels = new Map<string, Level>();
  return levelLimiter(levels, (level, limit, now) => {
    const beat = WINDOW / limit;
    const leaked = Math.floor((now - level.time) / beat);
    level.value = Math.min(limit, level.value + leaked);
    level.time += leaked * beat;
    return { free: level.value, take: () => level.value-- };
  });
}

/** The generic cell rate algorithm: a theoretical arrival time that each request moves on by one interval. */
export function gcraLimiter(): Limiter {
  const arrivals = new Map<string, number>();
  const standing = (budget: string, limit: number, now: number): Decision => {
    const due = Math.max(arrivals.get(budget) ?? now, now);
    const left = Math.floor((WINDOW - (due - now)) / (WINDOW / limit));
    return { accepted: left >= 1, limit, remaining: Math.max(0, left), reset: due, stamp: now };
  };
  return {
    decide(budget, limit, now) {
      const before = standing(budget, limit, now);
      if (!before.accepted) return before;
      arrivals.set(budget, before.reset + WINDOW / limit);
      return { ...standing(budget, limit, now), accepted: true };
    },
    peek: standing,
    refund() {},
  };
}

type Drain = (level: Level, limit: number, now: number) => { readonly free: number; readonly take: () => void };

function levelLimiter(levels: Map<string, Level>, drain: Drain): Limiter {
  const read = (budget: string, limit: number, now: number) => {
    let level = levels.get(budget);
    if (!level) {
      level = { value: limit, time: now };
      levels.set(budget, level);
    }
    return drain(level, limit, now);
  };
  const decision = (free: number, accepted: boolean, limit: number, now: number): Decision => {
    const remaining = Math.max(0, Math.floor(free));
    return { accepted, limit, remaining, reset: now + ((limit - free) * WINDOW) / limit, stamp: now };
  };
  return {
    decide(budget, limit, now) {
      const { free, take } = read(budget, limit, now);
      const accepted = free >= 1;
      if (accepted) take();
      return decision(accepted ? free - 1 : free, accepted, limit, now);
    },
    peek(budget, limit, now) {
      const { free } = read(budget, limit, now);
      return decision(free, free >= 1, limit, now);
    },
    refund() {},
  };
}
