import { expect, test } from 'vitest';
import { headersWithoutValue, hiddenHeaders, loadHeaders, withHeaders } from './load-headers.ts';
import { sampleSpec } from './spec.test-support.ts';

const own = { 'X-Op': 'secret-of-the-operation' };
const profile = {
  http: { headers: { 'X-Tenant': 'secret-of-all' } },
  operations: [
    { id: 'get-service', headers: own },
    { id: 'put-service', headers: {} },
    { id: 'not-sent', headers: { 'X-Other': 'secret-of-another' } },
  ],
};
const plain = sampleSpec();
const spec = {
  ...plain,
  reads: plain.reads.map((each) =>
    each.operation === 'get-service' ? { ...each, headers: hiddenHeaders(own) } : each,
  ),
};

test('only the headers of what is sent are handed over, and each request gets its own', () => {
  const headers = loadHeaders(spec, profile);
  expect(headers).toEqual({ all: { 'X-Tenant': 'secret-of-all' }, operations: { 'get-service': own } });
  const sent = withHeaders(spec, headers);
  expect(sent.reads.map((each) => each.headers)).toEqual([own, {}]);
  expect(headersWithoutValue(sent, headers)).toEqual([]);
});

test('a value that nobody gave is noticed', () => {
  const none = { all: hiddenHeaders({ 'X-Tenant': '' }), operations: {} };
  expect(headersWithoutValue(withHeaders(spec, none), none)).toEqual(['X-Tenant', 'X-Op']);
});
