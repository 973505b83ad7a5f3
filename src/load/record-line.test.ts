import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeLine, encodeField } from './record-line.ts';

/** As k6's Go gives them: any text, but no lone surrogate. */
const value = fc.option(fc.string({ unit: 'grapheme', maxLength: 40 }), { nil: undefined });

describe('encodeField', () => {
  test('any header values come back as they were', () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 5, maxLength: 5 }), (headers) => {
        const line = `<|7|100|200|200|${headers.map(encodeField).join('|')}`;
        expect(decodeLine(line)).toEqual({ type: 'answer', id: 7, sent: 100, answered: 200, status: 200, headers });
      }),
    );
  });

  test('the usual values are written as they are', () => {
    const usual = ['100', '99', '1795238820', 'Sat, 21 Nov 2026 05:26:17 GMT', '100, 99'];
    expect(usual.map(encodeField)).toEqual(usual);
  });
});

describe('decodeLine', () => {
  test.each([
    ['a line of k6', 'running (00m05.3s), 00/24 VUs'],
    ['an empty line', ''],
    ['a record that was cut off', '<|7|100|2'],
    ['one with a field too many', '>|7|1|2|3|4'],
    ['one with a word for a number', '>|seven|1|2|3'],
  ])('%s is passed over', (_, line) => {
    expect(decodeLine(line)).toBeNull();
  });

  test('no garbage makes it throw', () => {
    fc.assert(
      fc.property(fc.constantFrom('<|', '>|', 'x|', '@|', '~|', '.|', '!|'), fc.string(), (start, rest) => {
        expect(() => decodeLine(start + rest)).not.toThrow();
      }),
    );
  });
});
