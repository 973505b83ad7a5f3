import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { onTestFinished } from 'vitest';
import { operationOf, profileWith } from '../profile/profile.test-support.ts';
import type { Exchange } from './exchange.ts';
import type { Intent, TraceHeader } from './trace.ts';

/** A folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'trace-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const HEADER: TraceHeader = {
  type: 'header',
  format: '1.0',
  suite: { name: 'size-chart-conformance', version: '0.1.0' },
  command: 'certify',
  baseUrl: 'http://127.0.0.1:1/api/v1',
  profile: profileWith({
    baseUrl: 'http://127.0.0.1:1/api/v1',
    operations: [
      operationOf({
        id: 'labels',
        group: 'labels',
        path: '/labels',
        capture: [
          { name: 'id', from: { pointer: '/id' } },
          { name: 'where', from: { header: 'location', pattern: null } },
        ],
      }),
    ],
  }),
  profileDigest: 'a',
  catalogueDigest: 'b',
  keys: { full: ['key-1'], restricted: false, revoked: false },
  selection: ['AUTH-1'],
  experiments: [
    { id: 'x', requirements: ['AUTH-1'], keys: ['key-1'], requests: 1, start: 0, seconds: 1, omitted: null },
  ],
  epoch: 1_763_701_200_000_000,
  scale: 1,
  seed: 1,
  nonce: null,
  runtime: { node: 'v24', platform: 'linux' },
};

export function exchangeOf(seq: number, fields: Partial<Exchange> = {}): Exchange {
  return {
    seq,
    experiment: 'key-1-read',
    step: 'burst',
    pair: null,
    operation: 'labels',
    group: 'labels',
    kind: 'read',
    fault: 'none',
    key: 'key-1',
    credential: 'x-api-key',
    variation: null,
    method: 'GET',
    target: '/labels',
    connection: 1,
    sent: seq * 1000,
    answered: seq * 1000 + 500,
    status: 200,
    failure: null,
    headers: {
      limit: ['100'],
      remaining: [String(99 - (seq % 100))],
      reset: ['1763701260'],
      date: ['Fri, 21 Nov 2025 05:00:00 GMT'],
      retryAfter: [],
      other: { 'content-type': ['application/json'] },
    },
    ...fields,
  };
}

export function intentOf(exchange: Exchange): Intent {
  const { answered: _a, status: _s, failure: _f, headers: _h, truncated: _t, ...intent } = exchange;
  return intent;
}

const text = fc.string({ unit: 'binary', maxLength: 20 });
const orNull = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary, { nil: null });
const count = fc.nat({ max: 2 ** 31 - 1 });
const time = fc.oneof(count, fc.double({ min: 0, max: 1e12, noNaN: true }));
const values = fc.array(text, { maxLength: 3 });

const exchange = {
  seq: count,
  experiment: text,
  step: text,
  pair: orNull(text),
  operation: orNull(text),
  group: orNull(fc.constantFrom('service' as const, 'categories' as const, 'labels' as const)),
  kind: fc.constantFrom('read' as const, 'write' as const),
  fault: fc.constantFrom('none' as const, 'no-key' as const, 'bad-key' as const, 'unstated' as const),
  key: orNull(text),
  credential: text,
  variation: orNull(text),
  method: text,
  target: text,
  connection: count,
  sent: time,
  answered: orNull(time),
  status: orNull(fc.integer({ min: 200, max: 599 })),
  failure: orNull(fc.constantFrom('timeout' as const, 'reset' as const)),
  headers: fc.record({
    limit: values,
    remaining: values,
    reset: values,
    date: values,
    retryAfter: values,
    other: fc.dictionary(fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/), fc.array(text, { minLength: 1, maxLength: 2 }), {
      noNullPrototype: true,
    }),
  }),
};

const odd = fc.record(
  {
    body: fc.record({ contentType: text, text }, { noNullPrototype: true }),
    headers: fc.array(fc.tuple(text, text), { maxLength: 2 }),
  },
  { requiredKeys: [], noNullPrototype: true },
);

/** Any exchange that the type admits. */
export const anyExchange: fc.Arbitrary<Exchange> = fc.oneof(
  { weight: 3, arbitrary: fc.record(exchange) },
  { weight: 1, arbitrary: fc.record({ ...exchange, odd, truncated: fc.constant(true as const) }) },
);
