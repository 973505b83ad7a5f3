import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { operationOf, profileWith } from '../profile/profile.test-support.ts';
import type { Operation } from '../profile/profile.ts';
import { sampleExchange } from '../report/sample-exchange.test-support.ts';
import { curlWords, quote } from './curl.ts';

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

test('an odd request is written with what was odd about it', () => {
  const body = { contentType: 'text/plain', text: '' };
  const recorded = sampleExchange({
    operation: 'create-label',
    method: 'POST',
    target: '/labels',
    fault: 'unstated',
    variation: 'malformed-body',
    odd: { body, headers: [['x-trace', '']] },
  });
  expect(curlWords(recorded, profile)).toBe(
    `-X POST -H "X-API-Key: $KEY_1" -H 'x-trace;' -H 'Content-Type: text/plain' --data-raw '' https://acme.example/api/v1/labels`,
  );
});

test.each([
  ['x-api-key', {}, '-H "X-API-Key: $KEY_1" https://acme.example/api/v1/labels'],
  ['bearer', { credential: 'bearer' }, '-H "Authorization: Bearer $KEY_1" https://acme.example/api/v1/labels'],
  ['none', { credential: 'none', key: null, fault: 'no-key' }, 'https://acme.example/api/v1/labels'],
  ['empty key', { variation: 'empty', fault: 'bad-key' }, "-H 'X-API-Key;' https://acme.example/api/v1/labels"],
  [
    'altered key',
    { variation: 'altered', fault: 'bad-key' },
    '-H "X-API-Key: $BAD_KEY" https://acme.example/api/v1/labels',
  ],
  [
    'lengthened key',
    { variation: 'lengthened', key: 'unknown', fault: 'bad-key' },
    '-H "X-API-Key: $BAD_KEY" https://acme.example/api/v1/labels',
  ],
  [
    'restricted key',
    { key: 'restricted', fault: 'permission' },
    '-H "X-API-Key: $SIZE_CHART_RESTRICTED_KEY" https://acme.example/api/v1/labels',
  ],
  [
    'query',
    { credential: 'query', target: '/labels?api_key=key-1' },
    '--url-query "api_key=$KEY_1" https://acme.example/api/v1/labels',
  ],
  [
    'evasion',
    { variation: 'forwarded-for' },
    `-H "X-API-Key: $KEY_1" -H 'X-Forwarded-For: 203.0.113.7' https://acme.example/api/v1/labels`,
  ],
  [
    'evasion by an internal address',
    { variation: 'internal-address' },
    `-H "X-API-Key: $KEY_1" -H 'X-Forwarded-For: 127.0.0.1' https://acme.example/api/v1/labels`,
  ],
] as const)('a request with %s', (_, rest, expected) => {
  expect(curlWords(sampleExchange(rest), profile)).toBe(expected);
});

test('a body comes from the operation, or from the probe that the request was', () => {
  const plain = curlWords(sampleExchange({ operation: 'create-label', kind: 'write', method: 'POST' }), profile);
  expect(plain).toContain(`-X POST -H "X-API-Key: $KEY_1" -H "X-Trace: $X_TRACE"`);
  expect(plain).toContain(`--data-raw '{"name":"00000000-0000-4000-8000-000000000001"}'`);
  const probe = curlWords(
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
