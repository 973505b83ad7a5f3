import { WINDOW } from '../../deployment/deployment.ts';
import type { OtherMechanism } from '../../deployment/deviations/other-mechanism.ts';
import type { AnyLimiter } from './limiter.ts';
import type { Mechanics } from './mechanics.ts';

/**
 * Limiters without windows, which are not admissible: they decide by a level that rises all the time. A token bucket is
 * refilled evenly, by the limit in a minute. In GCRA, the theoretical arrival time is the moment when such a bucket is
 * full, so both decide alike. A leaky bucket makes room for one request every W / limit, at fixed times.
 */
export function bucket({ name, burst, marker }: OtherMechanism): Mechanics<Level> {
  const beat = (limit: number): number => WINDOW / limit;
  const size = (limit: number): number => Math.max(1, Math.round(limit * burst));
  return {
    at(level, _budget, limit, now) {
      if (!level) return { value: size(limit), time: now };
      const beats = (now - level.time) / beat(limit);
      const gained = name === 'leaky bucket' ? Math.floor(beats) : beats;
      const value = Math.min(size(limit), level.value + gained);
      return { value, time: name === 'leaky bucket' ? level.time + gained * beat(limit) : now };
    },
    left: ({ value }) => value,
    count(level, limit, _now, weight) {
      level.value = Math.min(size(limit), level.value - weight);
    },
    reset: ({ value }, limit, now) => now + Math.max(0, (marker === 'all' ? size(limit) : 1) - value) * beat(limit),
    stamp: (_level, now) => now,
    refund() {},
    copy: (level) => ({ ...level }),
  };
}

interface Level {
  value: number;
  time: number;
}

/** Lets one request through every W / limit, lets the others wait, and refuses if the queue is full. */
export function queueLimiter({ burst }: OtherMechanism): AnyLimiter {
  const nextTurn = new Map<string, number>();
  const standing = (budget: string, limit: number, now: number) => {
    const turn = Math.max(nextTurn.get(budget) ?? now, now);
    const left = Math.floor(limit * burst - ((turn - now) * limit) / WINDOW);
    return {
      turn,
      decision: { accepted: left >= 1, limit, remaining: Math.max(0, left - 1), reset: turn, stamp: now },
    };
  };
  return {
    decide(budget, limit, now) {
      const { turn, decision } = standing(budget, limit, now);
      if (!decision.accepted) return decision;
      nextTurn.set(budget, turn + WINDOW / limit);
      return { wait: turn - now, resume: () => decision };
    },
    peek: (budget, limit, now) => standing(budget, limit, now).decision,
    refund() {},
  };
}
