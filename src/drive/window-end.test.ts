import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CapturedHeaders } from '../trace/exchange.ts';
import { windowEnd } from './window-end.ts';

const EPOCH = Date.UTC(2026, 5, 1, 12) * 1000;

function headers(reset: string, serverNow?: number): CapturedHeaders {
  const date = serverNow === undefined ? [] : [new Date(Math.floor(serverNow / 1e6) * 1000).toUTCString()];
  return { limit: ['100'], remaining: ['99'], reset: [reset], date, retryAfter: [], other: {} };
}

test('a marker in any unit, on a server with any clock, is found within its rounding', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(1e6, 1e3, 1),
      fc.integer({ min: 0, max: 60_000_000 }),
      fc.constantFrom(0, 3_600e6, -86_400e6, 30e6),
      fc.integer({ min: 0, max: 3_600e6 }),
      (unit, ahead, skew, now) => {
        const server = EPOCH + now + skew;
        const end = windowEnd(headers(`${Math.ceil((server + ahead) / unit)}`, server), EPOCH, now);
        expect(end).not.toBeNull();
        expect(Math.abs((end ?? 0) - (now + ahead))).toBeLessThanOrEqual(unit + 1.1e6);
      },
    ),
  );
});

const AT = new Date(EPOCH / 1000 + 40_000);
const digits = (hours: number): string =>
  new Date(AT.getTime() + hours * 3_600_000).toISOString().replace(/\D/g, '').slice(0, 14);

test.each([
  ['minutes', String(EPOCH / 60e6 + 1), 60],
  ['milliseconds since 2000', String(AT.getTime() - Date.UTC(2000, 0, 1)), 40],
  ['ticks', `${BigInt(AT.getTime() + 62_135_596_800_000) * 10_000n}`, 40],
  ['a calendar time', digits(0), 40],
  ['a local calendar time', digits(5.5), 40],
])('a marker in %s is found', (_, reset, end) => {
  expect((windowEnd(headers(reset), EPOCH, 0) ?? Number.NaN) / 1e6).toBeCloseTo(end, 3);
});

test('a marker that is right is found beside a Date that is not', () => {
  const wrong = headers(String(EPOCH / 1e6 + 30), EPOCH - 3_600e6);
  expect(windowEnd(wrong, EPOCH, 0)).toBe(30e6);
});

test.each(['42', '', 'soon', '12.5', '99999999999999999999999'])('%j is no marker to aim by', (reset) => {
  expect(windowEnd(headers(reset), EPOCH, 5e6)).toBeNull();
});

test('two markers in one answer are none', () => {
  const one = headers(`${EPOCH / 1e6 + 30}`);
  expect(windowEnd({ ...one, reset: [...one.reset, ...one.reset] }, EPOCH, 0)).toBeNull();
});
