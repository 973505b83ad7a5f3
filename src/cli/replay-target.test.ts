import { expect, test } from 'vitest';
import { operationOf, profileWith } from '../profile/profile.test-support.ts';
import { sendsAlike } from './replay-target.ts';

const operation = operationOf({ id: 'list-labels', group: 'labels', path: '/labels', headers: { 'X-Tenant': 'acme' } });

test('a profile matches its recording, which hides header values, wherever it is sent', () => {
  const recorded = profileWith({ operations: [{ ...operation, headers: { 'X-Tenant': '…' } }] });
  const own = profileWith({ baseUrl: 'https://other.example/api/v1', operations: [operation] });
  expect(sendsAlike(own, recorded)).toBe(true);
  // By default its name is the host to which it was sent.
  const named = { ...own, target: { name: 'other.example', version: null } };
  expect(sendsAlike(named, recorded)).toBe(true);
  const changed = profileWith({ operations: [{ ...operation, path: '/labels-of-others' }] });
  expect(sendsAlike(changed, recorded)).toBe(false);
});
