import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { captureValues, pointerTokens } from './capture.ts';

const answer = (body: string | null, headers: Record<string, readonly string[]> = {}) => ({ body, headers });
const byPointer = (pointer: string) => [{ name: 'v', from: { pointer } }];
const byHeader = (header: string, pattern: string | null) => [{ name: 'v', from: { header, pattern } }];

describe('by JSON Pointer', () => {
  // The examples of RFC 6901, section 5, that lead to a number.
  const document = '{"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\\\j":5,"k\\"l":6," ":7,"m~n":8}';
  test.each([
    ['/', '0'],
    ['/a~1b', '1'],
    ['/c%d', '2'],
    ['/e^f', '3'],
    ['/g|h', '4'],
    ['/i\\j', '5'],
    ['/k"l', '6'],
    ['/ ', '7'],
    ['/m~0n', '8'],
  ])('%s leads to %s', (pointer, value) =>
    expect(captureValues(byPointer(pointer), answer(document))).toEqual({ values: { v: value } }),
  );

  test('keeps the digits of a number', () => {
    expect(captureValues(byPointer('/id'), answer('{"id":12345678901234567890}'))).toEqual({
      values: { v: '12345678901234567890' },
    });
  });

  test.each([
    ['/id', null, 'the answer has no body'],
    ['/id', ' ', 'the answer has no body'],
    ['/id', '<html>', 'the body of the answer is not JSON'],
    ['/a/id', '{"a":{}}', 'the body of the answer has nothing at /a/id'],
    ['/a/b/c', '{"a":7}', 'the body of the answer has nothing at /a/b'],
    ['/toString', '{}', 'the body of the answer has nothing at /toString'],
    ['/length', '[]', 'the body of the answer has nothing at /length'],
    ['/01', '[1,2]', 'the body of the answer has nothing at /01'],
    ['/a', '{"a":null}', 'the value at /a is null, not a string, number or boolean'],
    ['/a', '{"a":[]}', 'the value at /a is an array, not a string, number or boolean'],
    ['', '{"a":1}', 'the value at its top is an object, not a string, number or boolean'],
    ['id', '{"id":1}', '"id" is not a JSON Pointer'],
  ])('%s in %s is an error', (pointer, body, error) => {
    expect(captureValues(byPointer(pointer), answer(body))).toEqual({ errors: [`capture v: ${error}`] });
  });

  test('says why the body still has its content codings, if it is not JSON', () => {
    const undecoded = 'the suite does not know its Content-Encoding compress';
    const taken = (body: string) => captureValues(byPointer('/id'), { ...answer(body), undecoded });
    expect(taken('{"id":7}')).toEqual({ values: { v: '7' } });
    expect(taken('?')).toEqual({ errors: [`capture v: the body of the answer is not JSON: ${undecoded}`] });
  });

  test('finds any string at any place', () => {
    const key = fc.string();
    fc.assert(
      fc.property(fc.array(key, { minLength: 1, maxLength: 5 }), fc.string(), (keys, value) => {
        const body = keys.reduceRight<unknown>((inner, name) => Object.fromEntries([[name, inner]]), value);
        const pointer = keys.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
        expect(pointerTokens(pointer)).toEqual(keys);
        expect(captureValues(byPointer(pointer), answer(JSON.stringify(body)))).toEqual({ values: { v: value } });
      }),
    );
  });
});

describe('by header', () => {
  const located = answer(null, { location: ['https://a.example/labels/42 ', 'second'] });

  test.each([
    [byHeader('Location', '([^/]+)$'), '42'],
    [byHeader('LOCATION', '\\d+'), '42'],
    [byHeader('location', null), 'https://a.example/labels/42'],
  ])('takes the first group, the match or the whole value', (captures, value) => {
    expect(captureValues(captures, located)).toEqual({ values: { v: value } });
  });

  test('says what is missing, for all captures', () => {
    expect(captureValues([...byHeader('ETag', null), ...byHeader('Location', '^x')], located)).toEqual({
      errors: [
        'capture v: the answer has no header ETag',
        'capture v: the header Location does not match the pattern ^x',
      ],
    });
  });
});
