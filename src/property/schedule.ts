import fc from 'fast-check';
import type { Kind } from '../trace/exchange.ts';

/** One thing to do: wait, then send so many like requests at once. */
export interface ScheduleStep {
  /** ms of the run's clock to wait first. */
  readonly gap: number;
  readonly kind: Kind;
  /** Index of the key, and of the operation among those of the kind; taken modulo how many there are. */
  readonly key: number;
  readonly operation: number;
  readonly way: 'x-api-key' | 'bearer';
  readonly count: number;
}

export type Schedule = readonly ScheduleStep[];

/** What all schedules of a run may use together. */
export interface Allowance {
  readonly seconds: number;
  readonly requests: number;
}

/** Gaps that matter to a window of a minute: none, short ones, and ones near its length. */
const gap = fc.oneof(
  { weight: 4, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 2_000 }) },
  { weight: 2, arbitrary: fc.integer({ min: 2_000, max: 20_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 55_000, max: 65_000 }) },
);

/** Sizes that matter to limits of 100 and 30: single requests, a handful, and enough to spend a budget. */
const count = fc.oneof(
  { weight: 5, arbitrary: fc.constant(1) },
  { weight: 3, arbitrary: fc.integer({ min: 2, max: 20 }) },
  { weight: 1, arbitrary: fc.integer({ min: 25, max: 40 }) },
  { weight: 1, arbitrary: fc.integer({ min: 80, max: 120 }) },
);

const step: fc.Arbitrary<ScheduleStep> = fc.record({
  gap,
  kind: fc.constantFrom('read', 'write'),
  key: fc.nat({ max: 63 }),
  operation: fc.nat({ max: 63 }),
  way: fc.constantFrom('x-api-key', 'bearer'),
  count,
});

/**
 * Arbitrary schedules from a seed, each cut where its share of the allowance ends. The same seed, number and allowance
 * give the same schedules: that is how one is sent again. They are never shrunk by sending: a failing history is
 * minimised offline.
 */
export function schedules(seed: number, runs: number, allowance: Allowance): Schedule[] {
  const share = { seconds: allowance.seconds / runs, requests: Math.floor(allowance.requests / runs) };
  return fc
    .sample(fc.array(step, { minLength: 400, maxLength: 400 }), { seed, numRuns: runs })
    .map((steps) => within(steps, share));
}

function within(steps: Schedule, { seconds, requests }: Allowance): Schedule {
  let time = 0;
  let sent = 0;
  const kept: ScheduleStep[] = [];
  for (const each of steps) {
    const size = Math.min(each.count, requests - sent);
    time += each.gap;
    if (time > seconds * 1000 || size <= 0) break;
    sent += size;
    kept.push({ ...each, count: size });
  }
  return kept;
}
