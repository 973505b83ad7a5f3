import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../catalogue/limits.ts';
import { SECOND, WINDOW } from '../deployment/deployment.ts';
import type { Exchange } from '../trace/exchange.ts';
import { conductOf } from './conduct.ts';
import { QUIET_NETWORK } from './network.ts';
import { type SimulatedRequest, simulate } from './simulate.test-support.ts';
import { VARIANTS } from './variants.ts';

/**
 * Requests of one key, far enough apart that none overlap on a quiet network, sometimes in bursts that spend the
 * budget.
 */
const schedules = fc
  .array(
    fc.record({
      pause: fc.oneof(
        fc.integer({ min: 2, max: 40 }),
        fc.integer({ min: 0, max: 150_000 }).map((ms) => ms + 2),
      ),
      size: fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 1, max: 5 }) }, fc.integer({ min: 20, max: 45 })),
      fault: fc.constantFrom('none', 'none', 'none', 'missing', 'parameter', 'permission', 'internal'),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((bursts) => {
    const requests: SimulatedRequest[] = [];
    let at = 1000;
    for (const { pause, size, fault } of bursts) {
      at += pause * 1000;
      for (let sent = 0; sent < size; sent++) {
        requests.push({ at, key: 'key-1', kind: 'write', fault: fault as NonNullable<SimulatedRequest['fault']> });
        at += 2000;
      }
    }
    return requests;
  });

const STATUS = { none: 200, parameter: 400, permission: 403, missing: 404, internal: 500 } as const;

function unitOf(text: string): number {
  return { 10: SECOND, 13: 1000, 16: 1, 19: 0.001 }[text.length] ?? Number.NaN;
}

function remainingOf({ headers }: Exchange): number {
  return Number(headers.remaining[0]);
}

test('there are at least forty, each with a name of its own', () => {
  expect(VARIANTS.length).toBeGreaterThanOrEqual(40);
  expect(new Set(VARIANTS.map(({ name }) => name)).size).toBe(VARIANTS.length);
});

describe.each(VARIANTS)('$name', ({ name, options }) => {
  const epoch = Date.UTC(2026, 10, 21) * 1000;
  const conduct = conductOf(name, null);
  const offset = options.skew * SECOND;

  test('obeys, one request at a time', () => {
    fc.assert(
      fc.property(schedules, fc.integer(), (requests, seed) => {
        const exchanges = simulate(requests, { conduct, seed, network: QUIET_NETWORK, epoch });
        for (const [index, exchange] of exchanges.entries()) {
          const { status, fault, sent, answered, headers } = exchange;
          const remaining = remainingOf(exchange);
          if (status !== 429) expect(status).toBe(STATUS[fault as keyof typeof STATUS]);
          expect(headers.limit).toEqual(['30']);
          expect(Number.isInteger(remaining) && remaining >= 0 && remaining <= LIMITS.write).toBe(true);
          if (status === 429) expect(remaining).toBe(0);

          const marker = headers.reset[0] ?? '';
          expect(marker).toMatch(/^\d{10,19}$/);
          const unit = Math.max(unitOf(marker), 1);
          const time = Number(marker) * unitOf(marker) - epoch - offset;
          const tick = options.wholeSecondClock ? SECOND : 0;
          expect(time).toBeGreaterThanOrEqual(sent - unit - tick - 1000);
          expect(time).toBeLessThanOrEqual((answered ?? 0) + WINDOW + unit + 1000);

          // The next request finds what the answer before left, and uses at most one of it.
          const before = exchanges[index - 1];
          if (before && remainingOf(before) > 0) {
            expect(status).not.toBe(429);
            expect(remaining).toBeGreaterThanOrEqual(remainingOf(before) - 1);
          }
        }
      }),
      { numRuns: 30 },
    );
  });

  test('lets exactly the limit through at once, and is back after two windows', () => {
    const burst = Array.from({ length: 110 }, (_, index) => ({
      at: 5000 + index * 10,
      key: 'key-1',
      kind: 'read' as const,
      connection: index,
    }));
    const later = { at: 5000 + 2 * WINDOW + SECOND, key: 'key-1', kind: 'read' as const };
    const exchanges = simulate([...burst, later], { conduct, seed: 4, epoch });
    const accepted = exchanges.slice(0, 110).filter(({ status }) => status === 200);
    expect(accepted).toHaveLength(LIMITS.read);
    if (!options.lateRead) expect(new Set(accepted.map(remainingOf)).size).toBe(LIMITS.read);
    expect([exchanges[110]?.status, exchanges[110] && remainingOf(exchanges[110])]).toEqual([200, LIMITS.read - 1]);
  });
});
