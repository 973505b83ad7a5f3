import { WINDOW_S } from '../../src/catalogue/limits.ts';
import type { RequirementId } from '../../src/catalogue/requirement.ts';
import { REQUIREMENTS } from '../../src/catalogue/requirements.ts';
import { WINDOWS_NEEDED } from '../../src/plan/least-time.ts';
import { makePlan } from '../../src/plan/plan.ts';
import { readProfile } from '../../src/profile/read-profile.ts';
import { referenceProfile } from '../../src/reference/profile.ts';
import { table } from './markdown.ts';

const KEYS = { full: ['key-1', 'key-2', 'key-3', 'key-4'], restricted: true, revoked: false };

const LEAST: Readonly<Record<(typeof WINDOWS_NEEDED)[RequirementId], string>> = {
  0: 'one answer',
  0.5: 'one window begun: as long as its requests take',
  1: `one window ended: ${WINDOW_S} s`,
  2: `two windows ended: ${2 * WINDOW_S} s`,
};

/**
 * For requirements that take any test as long: the least time, and what the plan of `certify --only` takes for each of
 * them.
 */
export function leastTimes(): string {
  const read = readProfile(referenceProfile('http://127.0.0.1:1/api/v1'), { file: 'the reference profile' });
  if ('errors' in read) throw new Error('the reference profile is wrong');
  const { profile } = read;
  const secondsOf = (id: RequirementId): number =>
    Math.round(makePlan({ profile, keys: KEYS, selection: new Set([id]), mode: 'certify' }).seconds);
  const groups = Map.groupBy(REQUIREMENTS, ({ id }) => `${WINDOWS_NEEDED[id]} ${secondsOf(id)}`);
  const rows = [...groups.values()].flatMap((own) => {
    const [first] = own;
    if (!first) return [];
    const row = [own.map(({ id }) => id).join(', '), LEAST[WINDOWS_NEEDED[first.id]], `${secondsOf(first.id)} s`];
    return [{ order: WINDOWS_NEEDED[first.id] * 1000 + secondsOf(first.id), row }];
  });
  return table(
    ['Requirements', 'Least time of any test', 'Planned by certify --only'],
    rows.toSorted((one, other) => one.order - other.order).map(({ row }) => row),
  );
}
