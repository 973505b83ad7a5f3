import { expect, test } from 'vitest';
import { unique } from './words.ts';

test.each([
  ['get-label', 'get-label'],
  [
    'search-all-that-matches-the-text-of-the-given-query-and-gives-the-page',
    'search-all-that-matches-the-text-of-the-given-query-and-gives',
  ],
  [`${'x'.repeat(63)}-and-more`, 'x'.repeat(63)],
  ['x'.repeat(70), 'x'.repeat(64)],
])('%s is called %s', (name, called) => {
  expect(unique(name, new Set())).toBe(called);
});

test('the second of two long names has a number, and is no longer than 64 characters', () => {
  const taken = new Set<string>();
  const name = 'search-all-that-matches-the-text-of-the-given-query-and-gives-the-page';
  unique(name, taken);
  expect(unique(name, taken)).toBe('search-all-that-matches-the-text-of-the-given-query-and-2');
});
