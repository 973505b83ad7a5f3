import { expect, test } from 'vitest';
import { sampleExchange } from '../report/sample-exchange.test-support.ts';
import { answersText } from './answers-text.ts';

test('equal answers in a row share a line, and long lists keep their ends', () => {
  const some = [200, 200, 429].map((status, seq) => sampleExchange({ seq, status, key: 'key-2' }));
  const lines = answersText(some).split('\n');
  expect(lines).toEqual([expect.stringMatching(/2 × GET .* with key-2: 200, /), expect.stringMatching(/key-2: 429, /)]);
  const many = Array.from({ length: 40 }, (_, seq) => sampleExchange({ seq, status: 200 + seq }));
  const long = answersText(many).split('\n');
  expect(long).toHaveLength(8);
  expect(long[3]).toBe('  … 33 more');
  expect(long.at(-1)).toContain(': 239, ');
});
