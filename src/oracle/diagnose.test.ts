import { describe, expect, test } from 'vitest';
import { LIMITS } from '../catalogue/limits.ts';
import { SECOND, WINDOW } from '../deployment/deployment.ts';
import type { Times } from '../reference/behaviour.ts';
import { conductOf } from '../reference/conduct.ts';
import { anchoredWindows } from '../reference/mechanisms/fixed-window.ts';
import type { AnyLimiter, Decision } from '../reference/mechanisms/limiter.ts';
import { limiterOf } from '../reference/mechanisms/mechanics.ts';
import { fullPlan, planHistory } from '../reference/plan-histories.ts';
import { type SimulatedRequest, simulate } from '../reference/simulate.ts';
import { VARIANTS } from '../reference/variants.ts';
import type { Exchange, Kind } from '../trace/exchange.ts';
import { nameCountdown } from './diagnose/countdown.ts';
import { diagnose } from './diagnose.ts';
import { type History, makeHistory } from './history.ts';
import { dateOffset, inferMarker } from './marker.ts';

const EPOCH = Date.UTC(2026, 10, 21, 8, 30, 17) * 1000 + 123_456;

function behaving(limiter: () => AnyLimiter) {
  return (times: Times) => ({ ...conductOf(null, null)(times), limiters: { read: limiter(), write: limiter() } });
}

function planned(limiter: () => AnyLimiter): readonly History[] {
  return historiesOf(planHistory(fullPlan(), { conduct: behaving(limiter), seed: 5, epoch: EPOCH }));
}

function historiesOf(exchanges: readonly Exchange[]): readonly History[] {
  const marker = inferMarker(exchanges, EPOCH);
  const offset = dateOffset(exchanges, EPOCH);
  const keys = [...new Set(exchanges.flatMap(({ key }) => (key?.startsWith('key-') ? [key] : [])))];
  return keys.flatMap((key) =>
    (['read', 'write'] as const).map((kind: Kind) => {
      const own = exchanges.filter((each) => each.key === key && each.kind === kind);
      return makeHistory(own, { key, kind }, marker, offset);
    }),
  );
}

/** Tells nothing of use in its headers: names have to come from the decisions. */
function plainly(accepted: boolean, limit: number, now: number): Decision {
  return { accepted, limit, remaining: accepted ? limit - 1 : 0, reset: now + WINDOW, stamp: now };
}

function deciding(decide: AnyLimiter['decide']): AnyLimiter {
  return { decide, peek: (_budget, limit, now) => plainly(true, limit, now), refund() {} };
}

/** A bucket of `size` that is refilled by the limit in each minute, as libraries have it. */
function bucketOf(size: number): AnyLimiter {
  const levels = new Map<string, { value: number; time: number }>();
  return deciding((budget, limit, now) => {
    const level = levels.get(budget) ?? { value: size, time: now };
    level.value = Math.min(size, level.value + ((now - level.time) * limit) / WINDOW);
    level.time = now;
    levels.set(budget, level);
    const accepted = level.value >= 1;
    if (accepted) level.value--;
    return plainly(accepted, limit, now);
  });
}

/** Requests wait for their turn, a limit in each minute, and are refused where twenty wait. */
function queue(beats: number): AnyLimiter {
  const turns = new Map<string, number>();
  return deciding((budget, limit, now) => {
    const beat = (WINDOW / limit) * beats;
    const turn = Math.max(now, turns.get(budget) ?? now);
    if (turn - now > 20 * beat) return plainly(false, limit, now);
    turns.set(budget, turn + beat);
    return { wait: turn - now, resume: (later) => plainly(true, limit, later) };
  });
}

/** So many nodes, one of which gets each request: by turns, or at random where `pick` says so. */
function nodes(count: number, pick: (asked: number) => number): AnyLimiter {
  const each = Array.from({ length: count }, () => limiterOf(anchoredWindows()));
  let asked = 0;
  return {
    decide(budget, limit, now) {
      const node = each[pick(asked++) % count] ?? each[0];
      return node ? node.decide(budget, limit, now) : plainly(false, limit, now);
    },
    peek: (_budget, limit, now) => plainly(true, limit, now),
    refund() {},
  };
}

/** Counts as a log does, and from the first refusal on refuses for `length`; then it begins anew. */
function blocking(length: number): AnyLimiter {
  const budgets = new Map<string, { times: number[]; until: number }>();
  return deciding((budget, limit, now) => {
    const state = budgets.get(budget) ?? { times: [], until: 0 };
    budgets.set(budget, state);
    if (state.until > 0 && now >= state.until) Object.assign(state, { times: [], until: 0 });
    state.times = state.times.filter((time) => time > now - WINDOW);
    if (state.until === 0 && state.times.length >= limit) state.until = now + length;
    const accepted = state.until === 0;
    if (accepted) state.times.push(now);
    const remaining = accepted ? limit - state.times.length : 0;
    const reset = accepted ? (state.times[0] ?? now) + WINDOW : state.until;
    return { accepted, limit, remaining, reset, stamp: now };
  });
}

describe('mechanisms that no defect of the reference server has', () => {
  test.each([1, 3, 10])('a bucket of %i, told by its decisions alone', (size) => {
    expect(diagnose(planned(() => bucketOf(size))).write).toBe('token bucket, GCRA or leaky bucket');
  });

  test('a leaky bucket whose requests wait, and a slow server that is none', () => {
    expect(diagnose(planned(() => queue(1)))).toEqual({ read: 'leaky bucket', write: 'leaky bucket' });
    expect(diagnose(planned(() => queue(0.7)))).toEqual({ read: null, write: null });
  });

  test('counters that are not shared are counted', () => {
    expect(diagnose(planned(() => nodes(3, (asked) => asked))).read).toBe('3 unshared counters');
    expect(diagnose(planned(() => nodes(4, (asked) => (asked * 7919) >> 3))).read).toBe('4 unshared counters');
  });

  test('a block is measured, where the run sees its end', () => {
    expect(diagnose(planned(() => blocking(WINDOW)))).toEqual({
      read: 'penalty block of 60 s',
      write: 'penalty block of 60 s',
    });
    expect(diagnose(planned(() => blocking(5 * WINDOW))).read).toBe('penalty block or no expiry');
  });

  test('one counter is called nothing', () => {
    expect(diagnose(planned(() => nodes(1, () => 0)))).toEqual({ read: null, write: null });
  });

  test.each(VARIANTS)('$name, which conforms, is called nothing', ({ name }) => {
    const exchanges = planHistory(fullPlan(), { conduct: conductOf(name, null), seed: 8, epoch: EPOCH });
    expect(diagnose(historiesOf(exchanges))).toEqual({ read: null, write: null });
  });

  test('no history, no name', () => {
    expect(diagnose([])).toEqual({ read: null, write: null });
  });
});

describe('small values of Reset', () => {
  const polls: SimulatedRequest[] = Array.from({ length: 40 }, (_, index) => ({
    at: index * 1.7 * SECOND,
    key: 'key-1',
    kind: 'read',
  }));
  const telling = (value: (index: number, left: number) => number): readonly Exchange[] =>
    simulate(polls, { conduct: conductOf('anchored', null), seed: 2, epoch: EPOCH }).map((each, index) => {
      const left = WINDOW - ((each.answered ?? 0) % WINDOW);
      return { ...each, headers: { ...each.headers, reset: [`${Math.ceil(value(index, left))}`] } };
    });

  test('that count down are named', () => {
    expect(nameCountdown(telling((_index, left) => left / SECOND))).toBe('seconds to go');
    expect(nameCountdown(telling((_index, left) => left / 1000))).toBe('milliseconds to go');
  });

  test('that do not are not', () => {
    expect(nameCountdown(telling(() => 60))).toBeNull();
    expect(nameCountdown(telling((index) => LIMITS.read - index))).toBeNull();
    expect(nameCountdown(telling((_index, left) => 60 - left / SECOND))).toBeNull();
    expect(nameCountdown([])).toBeNull();
  });
});
