import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BAD_KEYS } from '../catalogue/key-states.ts';
import { WINDOW_S } from '../catalogue/limits.ts';
import type { RequirementId } from '../catalogue/requirement.ts';
import { REQUIREMENTS } from '../catalogue/requirements.ts';
import { operationOf, profileWith } from '../profile/profile.test-support.ts';
import type { Operation, Profile } from '../profile/profile.ts';
import type { Group, Kind } from '../trace/exchange.ts';
import { ODD_TO_CHECK } from './allowance.ts';
import { profileOf, wholePlan } from './plan.test-support.ts';
import { EVERYTHING, makePlan } from './plan.ts';
import { sample } from './schedule.ts';

function operation(group: Group, kind: Kind, id = `${group}-${kind}`): Operation {
  return operationOf({ id, group, kind });
}

function profile(...operations: Operation[]): Profile {
  return profileWith({ operations });
}

const WHOLE = profile(operation('service', 'read'), operation('categories', 'write'), operation('labels', 'read'));
const keys = (count: number) => ({
  full: Array.from({ length: count }, (_, index) => `key-${index + 1}`),
  restricted: true,
  revoked: true,
});
const plan = (count: number, selection: ReadonlySet<RequirementId> = EVERYTHING, target = WHOLE) =>
  makePlan({ profile: target, keys: keys(count), selection, mode: 'certify' });

describe('the plan to certify', () => {
  test('puts a key into a query, which access logs keep, only where it is asked for', () => {
    expect(plan(4).keyInQuery).toBe(false);
    expect(plan(4, new Set<RequirementId>(['AUTH-O3', 'AUTH-2'])).keyInQuery).toBe(true);
    expect(plan(4, new Set<RequirementId>(['AUTH-2'])).keyInQuery).toBe(false);
  });

  test.each([1, 2, 4, 8])('with %i keys is at most 12 s longer than its lower bound', (count) => {
    const { seconds, lowerBound } = plan(count);
    expect(lowerBound.seconds).toBe(2 * WINDOW_S);
    expect(seconds).toBeGreaterThanOrEqual(lowerBound.seconds);
    expect(seconds - lowerBound.seconds).toBeLessThanOrEqual(12);
  });

  test.each([1, 2, 3, 4, 5, 8, 50])(
    'with %i keys gives each budget one track at most, and both kinds a polled or boundary track',
    (count) => {
      const { tracks } = plan(count);
      const budgets = tracks.map((track) => `${track.key} ${track.kind}`);
      expect(new Set(budgets).size).toBe(budgets.length);
      for (const kind of ['read', 'write'] as const) {
        expect(tracks.some((track) => track.kind === kind && track.variants)).toBe(true);
        expect(
          tracks.some((track) => track.kind === kind && (track.role === 'polled' || track.role === 'boundary')),
        ).toBe(true);
      }
    },
  );

  test('gives every requirement an experiment', () => {
    const covered = new Set(plan(4).experiments.flatMap((each) => each.requirements));
    expect(REQUIREMENTS.map((each) => each.id).filter((id) => !covered.has(id))).toEqual([]);
  });

  test('says what a profile without writes leaves out', () => {
    const { experiments, tracks } = plan(2, EVERYTHING, profile(operation('service', 'read')));
    expect(tracks.every((track) => track.kind === 'read')).toBe(true);
    expect(experiments.map((each) => each.omitted).filter((each) => each !== null)).toEqual([
      'the profile names no write operation that can be sent many times at once',
    ]);
  });

  test('sends what is asked for and the good requests beside it, however many operations there are', () => {
    const operations = Array.from({ length: 20 }, (_, index) => operation('labels', 'write', `write-${index}`));
    const { schedule, experiments } = plan(4, new Set<RequirementId>(['AUTH-4']), profile(...operations));
    const trials = [...schedule.early, ...schedule.late];
    const sent = (fault: string): number => trials.filter((each) => each.fault === fault).length;
    expect([trials.length, sent('no-key'), sent('none')]).toEqual([60, 20, 40]);
    expect(schedule.late.length).toBeGreaterThan(0);
    expect(experiments.map(({ id }) => id)).toContain('further');
  });

  test('asks again at the end for what the restricted key may not do: permissions are kept, and loaded late', () => {
    const { early, late } = wholePlan(profileOf(6), 2).schedule;
    const forbidden = early.filter(({ fault }) => fault === 'permission');
    expect(forbidden.length).toBeGreaterThan(0);
    expect(late).toEqual(expect.arrayContaining(forbidden));
  });

  test('sends some requests without a key again at the end: others would not take as many twice', () => {
    const { early, late } = wholePlan(profileOf(6), 2).schedule;
    const again = late.filter(({ fault }) => fault === 'no-key');
    expect(new Set(again.map(({ operation: { kind } }) => kind))).toEqual(new Set(['read', 'write']));
    expect(early).toEqual(expect.arrayContaining(again));
  });

  test('reads twice what does not exist: a cache often keeps that it was missing', () => {
    const { early } = wholePlan(profileOf(6), 2).schedule;
    const missing = early.filter(({ fault, operation: { kind } }) => fault === 'missing' && kind === 'read');
    const repeated = missing.filter((trial, index) => trial === missing[index - 1]);
    expect(repeated.map(({ probe }) => probe?.name)).toEqual([...new Set(missing.map(({ probe }) => probe?.name))]);
  });

  test('costs no window where no requirement needs one', () => {
    const { tracks, seconds } = plan(4, new Set<RequirementId>(['AUTH-4', 'HDR-3']));
    expect(tracks).toEqual([]);
    expect(seconds).toBeLessThan(5);
  });

  test.each<[RequirementId, readonly Kind[]]>([
    ['LIMIT-KEY', ['read', 'write']],
    ['STATUS-429', ['read', 'write']],
  ])('waits for no end of a window where none is needed: %s', (id, kinds) => {
    const { tracks, seconds } = plan(4, new Set([id]));
    expect(new Set(tracks.map(({ kind }) => kind))).toEqual(new Set(kinds));
    expect(new Set(tracks.map(({ key }) => key)).size).toBe(2);
    expect(seconds).toBeLessThan(WINDOW_S / 2);
  });

  test.each<[RequirementId, Kind]>([
    ['LIMIT-W', 'write'],
    ['LIMIT-R', 'read'],
  ])('spends budgets of one kind alone where its limit is asked for: %s', (id, kind) => {
    expect(new Set(plan(4, new Set([id])).tracks.map((each) => each.kind))).toEqual(new Set([kind]));
  });

  test.each<RequirementId>(['LIMIT-WINDOW', 'HDR-7', 'LIMIT-HISTORY'])('takes two windows where it must: %s', (id) => {
    const { seconds, lowerBound } = plan(4, new Set<RequirementId>(['LIMIT-W', id]));
    expect(seconds).toBeGreaterThanOrEqual(lowerBound.seconds);
    expect(lowerBound.seconds).toBe(2 * WINDOW_S);
  });

  test('is a function of its input, and takes no longer and spends no more budgets for fewer requirements', () => {
    const ids = REQUIREMENTS.map((each) => each.id);
    fc.assert(
      fc.property(fc.subarray(ids, { minLength: 1 }), fc.integer({ min: 1, max: 9 }), (chosen, count) => {
        const some = plan(count, new Set(chosen));
        expect(plan(count, new Set(chosen))).toEqual(some);
        expect(some.seconds).toBeLessThanOrEqual(plan(count).seconds);
        expect(some.tracks.length).toBeLessThanOrEqual(plan(count).tracks.length);
      }),
      { numRuns: 25 },
    );
  });
});

describe('the plan to check', () => {
  test('spends no budget and takes seconds', () => {
    const { tracks, seconds, requests } = makePlan({
      profile: WHOLE,
      keys: keys(4),
      selection: EVERYTHING,
      mode: 'check',
    });
    expect(tracks).toEqual([]);
    expect(seconds).toBeLessThanOrEqual(5);
    expect(requests).toBeLessThanOrEqual(84);
  });

  test('tries a good key under every other scheme, and odd requests of each kind', () => {
    const { schedule, experiments, odd } = makePlan({
      profile: WHOLE,
      keys: keys(2),
      selection: new Set<RequirementId>(['AUTH-5', 'STATUS-NO5XX']),
      mode: 'check',
    });
    const schemes = BAD_KEYS.filter(({ family }) => family === 'wrong-scheme').map(({ name }) => name);
    expect(schedule.early.map(({ badKey }) => badKey?.name)).toEqual(expect.arrayContaining(schemes));
    expect(experiments.find(({ id }) => id === 'odd')?.requirements).toEqual(['STATUS-NO5XX']);
    expect(odd).toEqual(ODD_TO_CHECK);
  });

  test('tries one operation of each group and kind', () => {
    const target = profile(
      operation('labels', 'read', 'a'),
      operation('labels', 'read', 'b'),
      operation('labels', 'write', 'c'),
    );
    expect(sample(target, 'check').map((each) => each.id)).toEqual(['a', 'c']);
    expect(sample(target, 'certify')).toHaveLength(3);
  });
});
