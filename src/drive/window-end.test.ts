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

test.each(['42', '', 'soon', '12.5', '99999999999999999999999'])('%j is no marker to aim by', (reset) => {
  expect(windowEnd(headers(reset), EPOCH, 5e6)).toBeNull();
});

test('two markers in one answer are none', () => {
  const one = headers(`${EPOCH / 1e6 + 30}`);
  expect(windowEnd({ ...one, reset: [...one.reset, ...one.reset] }, EPOCH, 0)).toBeNull();
});
