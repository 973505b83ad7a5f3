import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Exchange } from '../trace/exchange.ts';
import { kneeOf, RampCounter, risingStage } from './knee.ts';

const floor = fc.array(fc.integer({ min: 100, max: 200 }), { minLength: 3, maxLength: 17 });
const high = fc.array(fc.integer({ min: 401, max: 10_000 }), { minLength: 3, maxLength: 17 });

test('a rise to more than twice the floor that lasts is the knee, at its first step', () => {
  fc.assert(
    fc.property(floor, high, (low, top) => {
      expect(kneeOf([...low, ...top])).toBe(low.length);
    }),
  );
});

test('what stays within twice its floor has none, and neither has what comes back', () => {
  fc.assert(
    fc.property(floor, (low) => {
      expect(kneeOf(low)).toBeNull();
    }),
  );
  fc.assert(
    fc.property(floor, high, (low, top) => {
      expect(kneeOf([...low, ...top, 150])).toBeNull();
    }),
  );
});

test('the unit does not matter', () => {
  const any = fc.array(fc.integer({ min: 1, max: 1_000 }), { maxLength: 20 });
  fc.assert(
    fc.property(any, (p95) => {
      expect(kneeOf(p95.map((each) => each * 1024))).toBe(kneeOf(p95));
    }),
  );
});

test('steps without an answer are beyond the knee', () => {
  expect(kneeOf([1, 1, 1, 1, null, null, null])).toBe(4);
});

test('rates are those of the ramp, and each request falls into the step in which it left', () => {
  const start = 5e6;
  const at = (second: number, status: number | null, latency: number): Exchange => {
    const sent = start + second * 1e6;
    return { sent, answered: status === null ? null : sent + latency, status } as Exchange;
  };
  const exchanges = Array.from({ length: 200 }, (_, i) => {
    return at(i / 10, i >= 190 ? null : i >= 150 ? 429 : 200, i >= 120 ? 9_000 : 1_000);
  });
  const counter = new RampCounter({ from: 60, to: 1_260, seconds: 20 }, start);
  for (const each of exchanges) counter.take(each);
  const figures = counter.figures();
  expect(figures).toMatchObject({ knee: 13.5, refusedFrom: 16.5, failedFrom: 20.5 });
  expect(figures.steps).toHaveLength(20);
  expect(figures.steps.reduce((sum, { requests }) => sum + requests, 0)).toBe(200);
  expect(figures.steps[0]).toEqual({ rate: 1.5, requests: 10, p95: 1, refused: 0, failed: 0 });
  expect(risingStage([{ from: 60, to: 60, seconds: 20 }])).toBeNull();
});
