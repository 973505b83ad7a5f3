import { expect, test } from 'vitest';
import { operationOf, profileWith } from '../profile/profile.test-support.ts';
import { byBearer } from './credentials.ts';
import { credentialFor, requestOf } from './request.ts';
import type { RequestSpec } from './request-spec.ts';

const OPERATION = operationOf({ id: 'create', group: 'labels', kind: 'write', method: 'POST', path: '/labels' });
const { http } = profileWith();
const PROFILE = profileWith({ http: { ...http, headers: { 'X-Gateway': 'on' } } });
const RENDERED = { target: '/labels?page=2', headers: [], body: { contentType: 'text/plain', text: 'x' } };

const spec = (rest: Partial<RequestSpec> = {}): RequestSpec => ({
  experiment: 'e',
  step: 's',
  operation: OPERATION,
  key: 'key-1',
  ...rest,
});
const secret = (alias: string) => `secret of ${alias}`;

test('a plain spec carries its key in the header of choice, and none without a key', () => {
  expect(credentialFor(spec(), 'x-api-key', secret).headers).toEqual([['X-API-Key', 'secret of key-1']]);
  expect(credentialFor(spec(), 'bearer', secret).headers).toEqual([['Authorization', 'Bearer secret of key-1']]);
  expect(credentialFor(spec({ key: null }), 'bearer', secret).headers).toEqual([]);
  expect(credentialFor(spec({ credential: byBearer('other') }), 'x-api-key', secret).name).toBe('bearer');
});

test('headers of the profile, the operation and the credential go together, the odd ones last', () => {
  const request = requestOf(spec({ extraHeaders: [['User-Agent', 'x']] }), RENDERED, byBearer('k'), PROFILE);
  expect(request.headers.map(([name]) => name)).toEqual(['X-Gateway', 'Authorization', 'User-Agent']);
});

test('a key in the query is joined to a query that is there', () => {
  const credential = { name: 'query', headers: [], query: ['api_key', 'a b'] as const };
  expect(requestOf(spec(), RENDERED, credential, PROFILE).target).toBe('/labels?page=2&api_key=a%20b');
});

test('another method leaves the body out, and a changed path keeps to what it is told', () => {
  const request = requestOf(
    spec({ method: 'HEAD', retarget: (path) => path.toUpperCase() }),
    RENDERED,
    byBearer('k'),
    PROFILE,
  );
  expect(request).toMatchObject({ method: 'HEAD', target: '/LABELS?PAGE=2', body: null });
});
