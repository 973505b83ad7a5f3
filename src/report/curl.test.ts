import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { operationOf, profileWith } from '../profile/profile.test-support.ts';
import type { Operation } from '../profile/profile.ts';
import { curlOf, quote } from './curl.ts';
import { sampleExchange } from './sample-report.test-support.ts';

const list = operationOf({ id: 'list-labels', group: 'labels', path: '/labels' });
const create: Operation = {
  ...list,
  id: 'create-label',
  kind: 'write',
  method: 'POST',
  headers: { 'X-Trace': "it's" },
  body: { contentType: 'application/json', text: '{"name":"{{uuid}}"}' },
};
const profile = profileWith({
  baseUrl: 'https://acme.example/api/v1',
  operations: [list, create],
  probes: {
    invalidParameter: [
      { ...create, name: 'no name', operation: 'create-label', body: { contentType: 'application/json', text: '{}' } },
    ],
    notFound: [],
    forbidden: [],
    internalFailure: [],
  },
});

test.each([
  ['x-api-key', {}, 'curl -i -H "X-API-Key: $SIZE_CHART_KEY" https://acme.example/api/v1/labels'],
  [
    'bearer',
    { credential: 'bearer' },
    'curl -i -H "Authorization: Bearer $SIZE_CHART_KEY" https://acme.example/api/v1/labels',
  ],
  ['none', { credential: 'none', key: null, fault: 'no-key' }, 'curl -i https://acme.example/api/v1/labels'],
  ['empty key', { variation: 'empty', fault: 'bad-key' }, "curl -i -H 'X-API-Key;' https://acme.example/api/v1/labels"],
  [
    'altered key',
    { variation: 'altered', fault: 'bad-key' },
    'curl -i -H "X-API-Key: $SIZE_CHART_KEY-altered" https://acme.example/api/v1/labels',
  ],
  [
    'lengthened key',
    { variation: 'lengthened', key: 'unknown', fault: 'bad-key' },
    'curl -i -H "X-API-Key: $SIZE_CHART_KEY-and-more" https://acme.example/api/v1/labels',
  ],
  [
    'restricted key',
    { key: 'restricted', fault: 'permission' },
    'curl -i -H "X-API-Key: $SIZE_CHART_RESTRICTED_KEY" https://acme.example/api/v1/labels',
  ],
  [
    'query',
    { credential: 'query', target: '/labels?api_key=key-1' },
    'curl -i "https://acme.example/api/v1/labels?api_key=$SIZE_CHART_KEY"',
  ],
  [
    'evasion',
    { variation: 'forwarded-for' },
    `curl -i -H "X-API-Key: $SIZE_CHART_KEY" -H 'X-Forwarded-For: 198.51.100.7' https://acme.example/api/v1/labels`,
  ],
] as const)('a request with %s', (_, rest, expected) => {
  expect(curlOf(sampleExchange(rest), profile)).toBe(expected);
});

test('a body comes from the operation, or from the probe that the request was', () => {
  const plain = curlOf(sampleExchange({ operation: 'create-label', kind: 'write', method: 'POST' }), profile);
  expect(plain).toContain(`-X POST -H "X-API-Key: $SIZE_CHART_KEY" -H 'X-Trace: it'\\''s'`);
  expect(plain).toContain(`--data-raw '{"name":"00000000-0000-4000-8000-000000000001"}'`);
  const probe = curlOf(
    sampleExchange({ operation: 'create-label', kind: 'write', method: 'POST', fault: 'parameter' }),
    profile,
  );
  expect(probe).toContain("--data-raw '{}'");
});

test('a shell reads a quoted text as one word, whatever it is', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0') && text.isWellFormed()),
      (text) => {
        expect(execFileSync('sh', ['-c', `printf %s ${quote(text)}`], { encoding: 'utf8' })).toBe(text);
      },
    ),
    { numRuns: 40 },
  );
});
