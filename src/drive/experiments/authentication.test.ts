import { expect, test } from 'vitest';
import { goodTrials } from '../../plan/trials.ts';
import { operationOf, profileWith } from '../../profile/profile.test-support.ts';
import { openStatefulSession } from '../stateful-target.test-support.ts';
import { authentication } from './authentication.ts';
import { untilAnswered } from './until-answered.ts';

test('a request is never sent in both headers at once', async () => {
  const operations = ['tall', 'wide'].map((id) => operationOf({ id, group: 'labels', path: `/labels/${id}` }));
  const options = { seed: 1, thingsFirst: false, perKey: false, sameName: 'same' } as const;
  const { session, exchanges } = openStatefulSession(profileWith({ operations }), options);
  const send = untilAnswered(session, { left: 0 });
  await authentication(session, goodTrials(operations, ['key-1']), send, false, Number.POSITIVE_INFINITY);
  const [byApiKey = [], byBearer = []] = ['x-api-key', 'bearer'].map((way) =>
    exchanges.filter(({ credential }) => credential === way),
  );
  expect([byApiKey.length, byBearer.length]).toEqual([2, 2]);
  const first = Math.min(...byBearer.map(({ sent }) => sent));
  expect(byApiKey.every(({ answered }) => answered !== null && answered < first)).toBe(true);
});
