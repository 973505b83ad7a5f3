import { expect, test } from 'vitest';
import { unrepeated } from './repeated.ts';

const statement = 'A key gets 100 read operations in a window, and the 101st is refused.';

test('a sentence of the statement or the summary is not said again in the proof', () => {
  const summary = 'reads are limited to 99; and writes are limited to 29, not 30';
  expect(unrepeated({ expected: statement, received: 'Reads are limited to 99.' }, { statement, summary })).toEqual({
    expected: null,
    received: null,
  });
});

test('what else a proof received is told, and so is a status or a value that the summary has too', () => {
  const proof = { expected: '401', received: '200' };
  expect(unrepeated(proof, { statement, summary: 'answered 200, not 401' })).toEqual(proof);
  const other = { expected: 'X-RateLimit-Remaining is 0 on a 429.', received: 'A 429 has X-RateLimit-Remaining: 3.' };
  expect(unrepeated(other, { statement, summary: 'reads are limited to 99' })).toEqual(other);
});
