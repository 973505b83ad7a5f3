import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeHeaders, decodeLine, encodeField } from './record-line.ts';

/** As k6's Go gives them: any text, but no lone surrogate. */
const value = fc.option(fc.string({ unit: 'grapheme', maxLength: 40 }), { nil: undefined });

describe('encodeField', () => {
  test('any header values come back as they were', () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 5, maxLength: 5 }), (headers) => {
        const encoded = headers.map(encodeField).join('|');
        const answer = { type: 'answer', id: 7, sent: 100, answered: 200, status: 200, headers: encoded };
        expect(decodeLine(`<|7|100|200|200|${encoded}`)).toEqual(answer);
        expect(decodeHeaders(encoded)).toEqual(headers);
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

  test('an answer with a header too many or too few has no headers', () => {
    expect(decodeHeaders('100|99|1795238820|-')).toBeNull();
    expect(decodeHeaders('100|99|1795238820|-|-|-')).toBeNull();
  });

  test('numbers are read as JavaScript reads them', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true })), {
          minLength: 4,
          maxLength: 4,
        }),
        ([id, count, due, clock]) => {
          fc.pre([id, count, due, clock].reduce((sum, each) => (sum ?? 0) + Math.abs(each ?? 0), 0) !== Infinity);
          expect(decodeLine(`>|${id}|${count}|${due}|${clock}`)).toEqual({
            type: 'intent',
            id: Number(`${id}`),
            count: Number(`${count}`),
            due: Number(`${due}`),
            clock: Number(`${clock}`),
          });
        },
      ),
    );
  });

  test('no garbage makes it throw', () => {
    fc.assert(
      fc.property(fc.constantFrom('<|', '>|', 'x|', '@|', '~|', '.|', '!|'), fc.string(), (start, rest) => {
        expect(() => decodeLine(start + rest)).not.toThrow();
      }),
    );
  });
});
