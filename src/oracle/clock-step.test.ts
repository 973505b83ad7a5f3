import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EPOCH, exchanges, headers } from '../judge/trace-builder.test-support.ts';
import { clockStep } from './clock-step.ts';

const SECOND = 1_000_000;

/** Answers each half second for two minutes, by a clock that is off by so much (µs) at each time of the run (µs). */
function answersBy(off: (at: number) => number) {
  return exchanges(
    ...Array.from({ length: 240 }, (_, index) => {
      const at = index * 497_000;
      const date = [new Date((EPOCH + at + off(at)) / 1000).toUTCString()];
      return { sent: at, answered: at + 1000, headers: headers({ date }) };
    }),
  );
}

const offsets = fc.integer({ min: -3600, max: 3600 }).map((seconds) => seconds * SECOND);

test('a clock that was set by three seconds or more is seen, with when and by how much', () => {
  const steps = fc.oneof(fc.integer({ min: 3, max: 3600 }), fc.integer({ min: -3600, max: -3 }));
  fc.assert(
    fc.property(offsets, steps, fc.integer({ min: 10, max: 110 }), (offset, seconds, when) => {
      const all = answersBy((at) => offset + (at < when * SECOND ? 0 : seconds * SECOND));
      const step = clockStep(all, EPOCH);
      expect(step?.by.low).toBeLessThanOrEqual(seconds * SECOND);
      expect(step?.by.high).toBeGreaterThanOrEqual(seconds * SECOND);
      expect(step?.last.sent).toBeLessThan(when * SECOND);
      expect(step?.before.length).toBeGreaterThan((when - 4) * 2);
      expect(step?.before.every(({ sent }) => sent < when * SECOND)).toBe(true);
    }),
  );
});

test('a steady clock was not set, nor one that drifts, nor were those of two nodes that answer by turns', () => {
  fc.assert(
    fc.property(offsets, fc.integer({ min: -500, max: 500 }), (offset, partsPerMillion) => {
      expect(
        clockStep(
          answersBy((at) => offset + (at * partsPerMillion) / 1e6),
          EPOCH,
        ),
      ).toBeNull();
    }),
  );
  expect(
    clockStep(
      answersBy((at) => (Math.floor(at / 1e6) % 2) * 10 * SECOND),
      EPOCH,
    ),
  ).toBeNull();
  expect(clockStep([], EPOCH)).toBeNull();
});
