import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readFromOwnZero, type Told } from './own-zero.ts';

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

/** The markers of two keys, each used at the start and at the end of the run. */
function toldBy(
  mechanism: keyof typeof MECHANISMS,
  bursts: readonly { readonly at: number; readonly size: number }[],
  { unit, uptime, latency }: { readonly unit: number; readonly uptime: number; readonly latency: number },
): readonly Told[] {
  const zero = uptime * Math.max(1, unit);
  return ['key-1', 'key-2'].flatMap((key, shift) => {
    const own = bursts.flatMap(({ at, size }) => Array.from({ length: size }, (_, n) => at + shift * 3e6 + 100 * n));
    const times = [...own, shift * 3e6, 140e6 + shift * 3e6].sort((one, other) => one - other);
    const ends = MECHANISMS[mechanism](times);
    return times.map((time, at) => ({
      key,
      value: BigInt(Math.round((zero + (ends[at] ?? 0)) / unit)),
      answered: time + latency,
    }));
  });
}

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
          const told = toldBy(mechanism, bursts, { unit, uptime, latency });
          expect(readFromOwnZero(told)).toMatchObject({ unit });
        },
      ),
    );
  },
);

test.each(Object.keys(MECHANISMS) as (keyof typeof MECHANISMS)[])(
  'what is known by any moment of a run shows no unit that is wrong by more than a half, whatever the true one is: %s',
  (mechanism) => {
    fc.assert(
      fc.property(
        run,
        fc.constantFrom(60e6, 10e6, 4e6, 1e6, 2.5e5, 1e5, 1e3, 1, 0.1, 1e-3),
        fc.integer({ min: 1e6, max: 1e9 }),
        fc.integer({ min: 0, max: 140_000_000 }),
        (bursts, unit, uptime, until) => {
          const told = toldBy(mechanism, bursts, { unit, uptime, latency: 1000 });
          const known = readFromOwnZero(told.filter(({ answered }) => answered <= until));
          if (known !== null && known !== 'unknown') expect(known).toMatchObject({ unit });
        },
      ),
    );
  },
);

test('without a budget that has a marker, nothing is read', () => {
  expect(readFromOwnZero([])).toBeNull();
});
