import fc from 'fast-check';
import { expect, test } from 'vitest';
import { markdownReport } from './markdown.ts';
import { sampleExchange } from './sample-exchange.test-support.ts';
import { sampleProof, sampleReport } from './sample-report.test-support.ts';

const two = sampleReport({
  'HDR-1': {
    verdict: 'fail',
    summary: 'No 404 carries the three headers.',
    proofs: [sampleProof([sampleExchange({ seq: 3, status: 404 })])],
  },
  'LIMIT-R': {
    verdict: 'fail',
    summary: '101 reads were let through.',
    proofs: [sampleProof([], { received: '101 accepted' })],
  },
});

test('the first failure is there in full, the others by their sentence', () => {
  const text = markdownReport(two);
  expect(text).toMatch(/^## Size Chart Service API v1: does not conform\n/);
  expect(text).toContain('### ❌ HDR-1: No 404 carries the three headers.');
  expect(text).toContain('| 3 | 1.250 s | key-1 | GET /labels | 404 | 100 | 99 | 1773480473 |');
  expect(text).toContain('- ❌ **LIMIT-R** fail: 101 reads were let through.');
  expect(text).toContain('**What to do:**');
});

test('nothing that a target sends becomes a tag, a link, a mention, or a row of a table', () => {
  for (const hostile of [
    '<img src=x onerror=alert(1)>',
    '![x](http://evil)',
    '[x](http://evil)',
    'a | b |\n| c |',
    '@everyone #1',
    '```\n# x',
    "it's",
  ]) {
    const text = markdownReport(
      sampleReport({
        'HDR-2': { verdict: 'fail', summary: hostile, proofs: [sampleProof([], { received: hostile })] },
      }),
    );
    const line = text.split('\n').find((each) => each.startsWith('### ❌ HDR-2:')) ?? '';
    const unescaped = line
      .replace('### ❌ HDR-2: ', '')
      .replaceAll(/\\[\\`*_[\]|~!]/g, '')
      .replaceAll(/&[a-z]+;|&#\d+;/g, '');
    expect(unescaped).not.toMatch(/[<>|`[\]@#!]/);
  }
});

test('any text keeps the table in shape', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (value) => {
      const headers = { limit: [value], remaining: [value], reset: [value], date: [], retryAfter: [], other: {} };
      const text = markdownReport(
        sampleReport({
          'HDR-2': { verdict: 'fail', proofs: [sampleProof([sampleExchange({ seq: 987_654, headers })])] },
        }),
      );
      const row = text.split('\n').find((line) => line.startsWith('| 987654 |')) ?? '';
      expect(row.replaceAll(/\\./g, '').split('|')).toHaveLength(10);
    }),
  );
});
