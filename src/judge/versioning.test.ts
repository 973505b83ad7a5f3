import { expect, test } from 'vitest';
import { CONTROLS, headers } from './trace-builder.test-support.ts';
import { verdictOn } from './verdicts.test-support.ts';

test('operations that succeed under /api/v1 pass, and under another base URL fail', () => {
  expect(verdictOn('VERSION-1', CONTROLS).verdict).toBe('pass');
  expect(verdictOn('VERSION-1', CONTROLS, { header: { baseUrl: 'https://a.example/t/api/v1' } }).verdict).toBe('pass');
  for (const baseUrl of ['https://a.example', 'https://a.example/api/v2', 'https://a.example/api/v1/x']) {
    expect(verdictOn('VERSION-1', CONTROLS, { header: { baseUrl } }).verdict).toBe('fail');
  }
});

test('an operation that is served outside the prefix only fails; a page that answers anything there is no proof', () => {
  const others = CONTROLS.filter((each) => each.operation !== 'get-service');
  const outside = {
    operation: null,
    pair: 'op get-service',
    fault: 'unstated',
    variation: 'outside-prefix',
    status: 200,
  } as const;
  const bare = { ...outside, headers: headers({ limit: [], remaining: [], reset: [] }) };
  expect(verdictOn('VERSION-1', [...others, { status: 404 }, outside]).verdict).toBe('fail');
  expect(verdictOn('VERSION-1', [...others, { status: 404 }, bare]).verdict).toBe('inconclusive');
  expect(verdictOn('VERSION-1', [...others, { status: 404 }]).verdict).toBe('inconclusive');
});
