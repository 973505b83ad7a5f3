import fc from 'fast-check';
import { expect, test } from 'vitest';
import { operationOf } from '../profile/profile.test-support.ts';
import { oddRequests } from './odd-request.ts';

test('a body with a variable in the place of a number is no JSON yet, and is made odd all the same', () => {
  const body = { contentType: 'application/json', text: '{"text":"x","category_id":{{category_id}}}' };
  const requests = fc.sample(oddRequests([operationOf({ method: 'POST', kind: 'write', body })]), {
    seed: 1,
    numRuns: 50,
  });
  expect(requests.map(({ oddity }) => oddity)).toContain('malformed-body');
});
