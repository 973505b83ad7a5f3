import { describe, expect, test } from 'vitest';
import { profileWith } from '../profile/profile.test-support.ts';
import type { Profile } from '../profile/profile.ts';
import { leftOutText } from '../trace/left-out.ts';
import { CONTROLS, OPERATIONS, operation, type Sketch } from './trace-builder.test-support.ts';
import { verdictOn } from './verdicts.test-support.ts';

const remove = { ...operation('delete-label', 'labels', 'write'), method: 'DELETE', prepare: ['put-label'] };
const probe = { ...remove, name: 'no such label', operation: 'delete-label' };
const profile = {
  ...profileWith({ operations: [...OPERATIONS, remove] }),
  probes: { invalidParameter: [probe], notFound: [], forbidden: [], internalFailure: [] },
};
const prepared = (over: Sketch): Sketch => ({ operation: 'put-label', step: 'prepare', ...over });

function remedyOn(id: 'VERSION-1' | 'STATUS-200' | 'STATUS-400', ...sketches: readonly Sketch[]): string {
  const { remedy } = verdictOn(id, [...CONTROLS, ...sketches], { header: { profile } });
  return remedy ?? '';
}

describe('where an operation was never tried, what is to be done is said of what prepares it', () => {
  test.each(['VERSION-1', 'STATUS-400'] as const)('%s: its budget was spent', (id) => {
    const remedy = remedyOn(id, prepared({}), prepared({ status: 429 }));
    expect(remedy).toMatch(/^the budget was spent when put-label was to create what others need: wait two minutes/);
  });

  test.each(['VERSION-1', 'STATUS-400'] as const)('%s: it fails', (id) => {
    expect(remedyOn(id, prepared({ status: 404 }))).toContain(
      'that put-label, which prepares delete-label, can succeed with a full key: it was answered 404',
    );
  });

  test('it got no answer', () => {
    expect(remedyOn('VERSION-1', prepared({ failure: 'reset' }))).toContain('check the network');
  });

  test('it was made, but nothing could be captured: that is to be corrected, whoever uses the keys', () => {
    const why = 'put-label: capture id: the body of the answer is not JSON';
    const text = leftOutText('probe', 'delete-label', why);
    const note = { type: 'note', time: 1e9, code: 'experiment-failed', experiment: null, text } as const;
    const { remedy } = verdictOn('VERSION-1', [...CONTROLS, prepared({})], { header: { profile }, notes: [note] });
    expect(remedy).toContain(`correct the capture in the profile, or the answer that it reads (${why})`);
  });

  test('it was made at other times: what it was answered in between is told, and no wait is advised', () => {
    const text = leftOutText('probe', 'delete-label', 'put-label, which prepares other operations, answered 400');
    const note = { type: 'note', time: 1e9, code: 'experiment-failed', experiment: null, text } as const;
    const sketches = [...CONTROLS, prepared({ status: 400 }), prepared({})];
    const { remedy } = verdictOn('VERSION-1', sketches, { header: { profile }, notes: [note] });
    expect(remedy).toMatch(/^check in the profile that put-label, .* each time that it is sent: #\d+ was answered 400/);
    expect(remedy).not.toContain('wait');
  });

  test('it was made: then the run as it was did not come to it', () => {
    expect(remedyOn('VERSION-1', prepared({ status: 429 }), prepared({}))).toMatch(/^wait two minutes, .* run again/);
  });

  test.each([
    [['key-1'], / run again with four keys that nobody else uses$/],
    [['key-1', 'key-2', 'key-3', 'key-4'], / run again with keys that nobody else uses$/],
  ] as const)('what the run had already is not advised: %s', (full, end) => {
    const header = { profile, keys: { full, restricted: false, revoked: false } };
    const { remedy } = verdictOn('VERSION-1', [...CONTROLS, prepared({ status: 429 })], { header });
    expect(remedy).toMatch(end);
  });
});

test('an operation that met nothing but a spent budget is no fault of the profile', () => {
  const refused: Sketch = { operation: 'delete-label', kind: 'write', status: 429 };
  expect(remedyOn('STATUS-200', refused)).toMatch(/^wait two minutes, and run again with (four )?keys/);
  expect(remedyOn('STATUS-200', refused, { ...refused, status: 404 })).toMatch(
    /^check in the profile that delete-label/,
  );
});

test('what to do about spent budgets is said once, however many operations met them', () => {
  const refused = ['put-label', 'post-category', 'put-service'].map(
    (id): Sketch => ({ operation: id, kind: 'write', status: 429 }),
  );
  const { remedy } = verdictOn('STATUS-200', refused);
  expect(remedy?.match(/wait two minutes/g)).toHaveLength(1);
});

test('where an operation has never succeeded, it is to be corrected, and not the keys', () => {
  const bad = ['x-api-key', 'bearer'].map((credential): Sketch => ({ credential, status: 400 }));
  const others = CONTROLS.filter(({ operation }) => (operation ?? 'get-service') !== 'get-service');
  for (const id of ['AUTH-2', 'AUTH-3', 'STATUS-200'] as const) {
    const { verdict, remedy } = verdictOn(id, [...others, ...bad]);
    expect(verdict).toBe('inconclusive');
    expect(remedy).toBe(
      'check in the profile that get-service can succeed with a full key: it was answered 400 each time',
    );
  }
});

test('an operation whose key was refused each time is a matter of the keys, not of the profile', () => {
  const refused: Sketch = { operation: 'delete-label', kind: 'write', credential: 'bearer', status: 401 };
  expect(remedyOn('STATUS-200', refused)).toBe('look at AUTH-2 and AUTH-3 first');
});

describe('where nothing was sent without permission, only what is missing is to be added', () => {
  const keys = { full: ['key-1'], restricted: false, revoked: false };
  const forbidden = [{ ...operation('put-label', 'labels', 'write'), name: 'not allowed', operation: 'put-label' }];
  const without: Profile = { ...profile, probes: { ...profile.probes, invalidParameter: [] } };
  const listed: Profile = { ...without, probes: { ...without.probes, forbidden } };

  test.each([
    [without, false, /^add a probe to probes.forbidden of the profile, and set SIZE_CHART_RESTRICTED_KEY to a key/],
    [listed, false, /^set SIZE_CHART_RESTRICTED_KEY to a key that lacks permission for what probes.forbidden/],
    [without, true, /^add a probe to probes.forbidden of the profile, for which SIZE_CHART_RESTRICTED_KEY lacks/],
    [listed, true, /^wait two minutes, and run again/],
  ])('%#', (given, restricted, remedy) => {
    const header = { profile: given, keys: { ...keys, restricted } };
    for (const id of ['AUTH-6', 'STATUS-403', 'HDR-1'] as const) {
      expect(verdictOn(id, CONTROLS, { header }).remedy?.split('; ')).toContainEqual(expect.stringMatching(remedy));
    }
  });
});
