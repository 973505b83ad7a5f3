import fc from 'fast-check';
import { expect, test } from 'vitest';
import { singleInteger } from '../../oracle/single-integer.ts';
import { allFields, captureHeaders } from './headers.ts';

/** Any bytes, in the form that Node and undici use, with both names that are kept and names that are not. */
const name = fc.oneof(
  fc.constantFrom('X-RateLimit-Limit', 'x-ratelimit-remaining', 'X-RATELIMIT-RESET', 'Date', 'RateLimit-Policy'),
  fc.constantFrom('__proto__', 'constructor', 'Set-Cookie', 'Authorization', ''),
  fc.string(),
);
const value = fc.oneof(
  fc.string(),
  fc.uint8Array({ maxLength: 600 }).map((bytes) => Buffer.from(bytes)),
  fc.nat().map(String),
  fc.constantFrom(' 99 ', '099', '+9', '-0', '9e9', '0x9', '９', '9'.repeat(400)),
);
const head = fc.array(fc.oneof(name, value), { maxLength: 80 });

test('whatever a head holds, what is kept of it is bounded, in order, and free of what is not on the list', () => {
  fc.assert(
    fc.property(head, (raw) => {
      const { other, ...named } = captureHeaders(raw, (text) => text);
      for (const values of [...Object.values(named), ...Object.values(other)]) {
        expect(values.length).toBeLessThanOrEqual(16);
        for (const each of values) expect(each.length).toBeLessThanOrEqual(256);
      }
      for (const kept of Object.keys(other)) expect(kept).toMatch(/^[a-z-]+[a-z0-9-]*$/);
      const limits = raw.filter((_, at) => at % 2 === 1 && `${raw[at - 1]}`.toLowerCase() === 'x-ratelimit-limit');
      const first = limits[0];
      if (first !== undefined) {
        const text = typeof first === 'string' ? first : first.toString('latin1');
        expect(text.startsWith(named.limit[0] ?? '?')).toBe(true);
      }
      expect(Object.getPrototypeOf(allFields(raw))).toBe(Object.prototype);
    }),
    { numRuns: 500 },
  );
});

test('a value is an integer only where it is one in decimal digits, and one that is kept exactly', () => {
  expect(['7', ' 7 ', '007', '-7'].map((text) => singleInteger([text]))).toEqual([7, 7, 7, -7]);
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string(), fc.bigInt().map(String), value.map(String)), { maxLength: 3 }),
      (lines) => {
        const read = singleInteger(lines);
        if (read === null) return;
        expect(lines).toHaveLength(1);
        expect(Number.isSafeInteger(read)).toBe(true);
        expect(BigInt(lines[0]?.trim() ?? '')).toBe(BigInt(read));
      },
    ),
    { numRuns: 1000 },
  );
});
