import { expect, test } from 'vitest';
import { operationOf, profileWith } from '../profile/profile.test-support.ts';
import { lateEnd } from './late-end.ts';
import { EVERYTHING, makePlan } from './plan.ts';

const PLAN = makePlan({
  profile: profileWith({
    operations: [operationOf({ id: 'read', kind: 'read' }), operationOf({ id: 'write', kind: 'write' })],
  }),
  keys: { full: ['key-1', 'key-2', 'key-3', 'key-4'], restricted: false, revoked: false },
  selection: EVERYTHING,
  mode: 'certify',
});
const roleOf = (role: string, kind = 'read'): string =>
  PLAN.tracks.find((track) => track.role === role && track.kind === kind)?.id ?? '';
const endOf = (id: string): number => {
  const planned = PLAN.experiments.find((each) => each.id === id);
  return (planned?.start ?? 0) + (planned?.seconds ?? 0);
};
const LAST = Math.max(...PLAN.tracks.map(({ id }) => endOf(id)));

test('a plan of which no track is late ends as planned', () => {
  expect(lateEnd(PLAN, new Map())).toBe(PLAN.seconds);
});

test.each([10, 61, 90])('a short track that begins %s s late puts the end off only if it ends last then', (late) => {
  const idle = roleOf('idle', 'write');
  expect(endOf(idle)).toBeLessThan(LAST);
  expect(lateEnd(PLAN, new Map([[idle, late]])) - PLAN.seconds).toBeCloseTo(Math.max(0, endOf(idle) + late - LAST));
});

test('a long track that begins late puts the end off', () => {
  expect(lateEnd(PLAN, new Map([[roleOf('silent'), 61]]))).toBeCloseTo(
    PLAN.seconds + 61 + endOf(roleOf('silent')) - LAST,
  );
});

test('the tracks of the first key wait for each other', () => {
  for (const track of PLAN.tracks.filter(({ key }) => key === 'key-1'))
    expect(lateEnd(PLAN, new Map([[track.id, 61]]))).toBeCloseTo(PLAN.seconds + 61 + endOf(roleOf('polled')) - LAST);
});
