import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readFromOwnZero } from './own-zero.ts';

const WINDOW = 60_000_000;

/** When the window of each of these requests ends, in µs of the server's clock. */
const MECHANISMS = {
  grid: (times: readonly number[]) => times.map((time) => (Math.floor((time - 17e6) / WINDOW) + 1) * WINDOW + 17e6),
  anchored(times: readonly number[]) {
    let end = Number.NEGATIVE_INFINITY;
    return times.map((time) => {
      if (time >= end) end = time + WINDOW;
      return end;
    });
  },
  'log, oldest': (times: readonly number[]) =>
    times.map((time) => (times.find((each) => each > time - WINDOW) ?? time) + WINDOW),
  'log, now': (times: readonly number[]) => times.map((time) => time + WINDOW),
} as const;

/** A run of about two minutes: the requests of two keys, some one by one and most of them in bursts. */
const run = fc.array(fc.record({ at: fc.integer({ min: 0, max: 140_000_000 }), size: fc.constantFrom(1, 1, 1, 30) }), {
  minLength: 12,
  maxLength: 30,
});

test.each(Object.keys(MECHANISMS) as (keyof typeof MECHANISMS)[])(
  'the unit of markers with a zero of their own is read, whatever the limiter: %s',
  (mechanism) => {
    fc.assert(
      fc.property(
        run,
        fc.constantFrom(1e6, 1e5, 1e4, 1e3, 100, 10, 1, 0.1, 0.01, 1e-3),
        fc.integer({ min: 1e6, max: 1e9 }),
        fc.integer({ min: 1000, max: 80_000 }),
        (bursts, unit, uptime, latency) => {
          const zero = uptime * Math.max(1, unit);
          const told = ['key-1', 'key-2'].flatMap((key, shift) => {
            const own = bursts.flatMap(({ at, size }) =>
              Array.from({ length: size }, (_, n) => at + shift * 3e6 + 100 * n),
            );
            // Each key is used at the start and at the end of the run.
            const times = [...own, shift * 3e6, 140e6 + shift * 3e6].sort((one, other) => one - other);
            const ends = MECHANISMS[mechanism](times);
            return times.map((time, at) => ({
              key,
              value: BigInt(Math.round((zero + (ends[at] ?? 0)) / unit)),
              answered: time + latency,
            }));
          });
          expect(readFromOwnZero(told)).toMatchObject({ unit });
        },
      ),
    );
  },
);

test('without a budget that has a marker, nothing is read', () => {
  expect(readFromOwnZero([])).toBeNull();
});
