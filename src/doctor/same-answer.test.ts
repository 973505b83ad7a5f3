import { expect, test } from 'vitest';
import { exchanges, headers } from '../judge/trace-builder.test-support.ts';
import { sameAnswer } from './same-answer.ts';

const PROFILE = { baseUrl: 'http://here.test/api/v1' };
const after = (...statuses: readonly number[]) =>
  sameAnswer(PROFILE, { exchanges: exchanges(...statuses.map((status) => ({ status }))) });

test('one status for everything is one thing to mend', () => {
  expect(after(503, 503)).toBe(
    'start or repair the deployment, or the gateway in front of it: at http://here.test/api/v1, every request with a full key was answered 503',
  );
  expect(after(404, 404)).toMatch(/^correct base_url: /);
  expect(after(405)).toMatch(/^correct base_url, or what the profile sends: /);
});

test('a redirect names where it leads', () => {
  const location = ['https://there.test/api/v1/service?next=1'];
  const sketch = { status: 302, headers: headers({ other: { location } }) };
  expect(sameAnswer(PROFILE, { exchanges: exchanges(sketch, sketch) })).toMatch(
    /^set base_url to a URL on https:\/\/there\.test, to which it redirects, .*answered 302$/,
  );
  expect(after(302, 302)).toMatch(/^set base_url to the place to which it redirects/);
});

test('different answers, successes, and what concerns keys or limits have other remedies', () => {
  for (const statuses of [[], [200, 200], [503, 200], [404, 503], [401, 401], [403], [429, 429]]) {
    expect(after(...statuses)).toBeNull();
  }
});
