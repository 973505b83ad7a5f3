import { describe, expect, test } from 'vitest';
import { referenceProfile } from '../reference/profile.ts';
import { startReference } from '../reference/server.ts';
import { diagnosisText } from './diagnosis-text.ts';
import { bad, type Circumstances, examined, examineProfile, KEYS, untestable } from './examined.test-support.ts';
import { REMEDIES } from './needs.ts';

describe('what is missing is named with what to add', () => {
  test.each<[string, Circumstances, readonly string[], string]>([
    [
      'no restricted key',
      { keys: { restricted: null } },
      ['AUTH-6', 'STATUS-403', 'HDR-1'],
      REMEDIES['restricted key'],
    ],
    ['one key only', { keys: { full: ['full-key-number-one'] } }, ['LIMIT-KEY'], REMEDIES['two keys']],
    [
      'no probe for 400',
      { edit: (text) => text.replace(/ {2}invalid_parameter:[\s\S]*?(?= {2}not_found)/, '') },
      ['STATUS-400', 'HDR-1'],
      REMEDIES['invalid parameter'],
    ],
    [
      'no operation of a group',
      { edit: (text) => text.replaceAll('group: service', 'group: labels') },
      ['AUTH-1', 'AUTH-2', 'AUTH-3', 'AUTH-4', 'AUTH-5'],
      REMEDIES.service,
    ],
    [
      'an operation that fails',
      { edit: (text) => text.replace('path: /labels/1 }', 'path: /labels/none }') },
      ['STATUS-200', 'VERSION-1'],
      REMEDIES['every operation'],
    ],
  ])('%s', async (_, circumstances, ids, remedy) => {
    const diagnosis = await examined(circumstances);
    expect(diagnosis.ready).toBe(false);
    expect([...untestable(diagnosis)].sort()).toEqual([...ids].sort());
    const todo = diagnosis.requirements.find(({ id }) => id === ids[0])?.todo;
    expect(todo).toContain(remedy);
  });

  test('a key that is not accepted', async () => {
    const diagnosis = await examined({ keys: { full: ['no-such-key-at-all'] } });
    expect(bad(diagnosis.keys)).toEqual([
      'key-1 (x-api-key): not accepted (401)',
      'key-1 (bearer): not accepted (401)',
    ]);
    expect(diagnosis.requirements.find(({ id }) => id === 'LIMIT-R')?.todo).toEqual([REMEDIES['accepted keys']]);
    expect(diagnosis.requests).toBe(5);
  });

  test('of several keys, each that is not accepted is named, and the others try the rest', async () => {
    const wrong = ['no-such-key-at-all', 'nor-is-there-this-one'] as const;
    const [good = ''] = KEYS.full;
    const diagnosis = await examined({ keys: { full: [wrong[0], good, wrong[1]] } });
    expect(bad(diagnosis.keys)).toEqual([
      'key-1 (x-api-key): not accepted (401)',
      'key-1 (bearer): not accepted (401)',
      'key-3: not accepted (401)',
    ]);
    expect(bad(diagnosis.operations)).toEqual([]);
    expect(diagnosis.operations.every(({ standing }) => standing === 'good')).toBe(true);
    expect(diagnosis).toMatchObject({ sound: false, ready: false });
  });

  test.each<[string, readonly string[], RegExp]>([
    ['bearer-rejected', ['LIMIT-HEADER'], /^key-1 \(bearer\): not accepted \(401\)$/m],
    ['revoked-key-accepted', [], /^revoked: should no longer be accepted: 200$/m],
    [
      'no-headers',
      ['HDR-3', 'HDR-4', 'HDR-5', 'HDR-6', 'HDR-7', 'HDR-8'],
      /^200: X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset missing: HDR-1 would fail$/m,
    ],
  ])('the defect %s', async (defect, ids, shown) => {
    const diagnosis = await examined({ defect });
    expect(untestable(diagnosis)).toEqual(ids);
    expect(bad([...diagnosis.keys, ...diagnosis.headers]).join('\n')).toMatch(shown);
  });

  test('a probe that succeeds is shown with what is due', async () => {
    const edit = (text: string) => text.replace('query: { page: "-1" }', 'query: { page: "1" }');
    const diagnosis = await examined({ edit });
    expect(bad(diagnosis.probes)).toEqual([expect.stringMatching(/^invalid-parameter-1 .*200, expected 400/)]);
  });

  test('what no probe provokes cannot be tested, and which to correct is said', async () => {
    const edit = (text: string) =>
      text.replace('{ page: "-1" }', '{ page: "1" }').replace('{ name: 7 }', '{ name: good }');
    const diagnosis = await examined({ edit });
    expect(untestable(diagnosis)).toEqual(['STATUS-400', 'HDR-1']);
    expect(diagnosisText(diagnosis, { colour: false })).toContain('invalid_parameter: none was answered 400');
  });

  test.each<[string, string | RegExp, string, RegExp]>([
    [
      'a write that is called a read',
      '{ id: update-service, group: service, kind: write',
      '{ id: update-service, group: service, kind: read',
      /^update-service .*X-RateLimit-Limit is 30.*the kind in the profile must be write/,
    ],
    [
      'a thing that is removed once and not made again',
      /path: "\/labels\/\{\{label_id\}\}"\n {4}prepare: \[create-label\]/,
      'path: /labels/2',
      /^delete-label .*200, and then 404: it must succeed each time it is sent\. The answer says: /,
    ],
    [
      'a path with nothing there',
      'method: GET, path: /service }',
      'method: GET, path: /servise }',
      /^get-service .*404\. The answer says: /,
    ],
    [
      'a probe of a wrong status',
      'path: /labels/does-not-exist',
      'path: /labels/1',
      /^not-found-\d .*200, expected 404/,
    ],
  ])('%s: it is not sound, since certify might fail what conforms', async (_, part, instead, shown) => {
    const edit = (text: string) => text.replace(part, instead);
    expect(edit(referenceProfile('http://127.0.0.1/api/v1'))).not.toBe(referenceProfile('http://127.0.0.1/api/v1'));
    const diagnosis = await examined({ edit });
    expect(diagnosis).toMatchObject({ sound: false, ready: false });
    expect(bad([...diagnosis.operations, ...diagnosis.probes])).toContainEqual(expect.stringMatching(shown));
    expect(diagnosisText(diagnosis, { colour: false })).toContain('certify might fail a deployment');
  });

  test('a base URL where nothing is', async () => {
    const diagnosis = await examined({ edit: (text) => text.replace('/api/v1', '/ap/v1') });
    const todo = new Set(diagnosis.requirements.flatMap((each) => each.todo));
    expect([...todo]).toEqual([expect.stringMatching(/^correct base_url: at http\S+\/ap\/v1, every .*answered 404$/)]);
  });

  test('the operation with which keys are tried, where no key is refused', async () => {
    const edit = (text: string) => text.replace('method: GET, path: /service }', 'method: GET, path: /servise }');
    const diagnosis = await examined({ edit });
    expect(diagnosis.requirements.find(({ id }) => id === 'LIMIT-R')?.todo).toEqual([
      'correct what the lines under Keys show: no key was refused (401), but not all were accepted',
    ]);
  });

  test('a capture that finds nothing', async () => {
    const edit = (text: string) => text.replace(/label_id: "?\/id"?/, 'label_id: /data/id');
    const diagnosis = await examined({ edit });
    expect(bad(diagnosis.operations)).toEqual([
      expect.stringMatching(/^delete-label .*: not tried: create-label: capture label_id: .* has nothing at \/data$/),
    ]);
  });

  test('a target that cannot be reached', async () => {
    const server = await startReference({ keys: KEYS });
    await server.close();
    const diagnosis = await examineProfile(referenceProfile(server.baseUrl), KEYS);
    expect(diagnosis).toMatchObject({ ready: false, requests: 0 });
    expect(diagnosis.obstacle).toContain('nothing listens');
    expect(diagnosisText(diagnosis, { colour: false })).toContain('Nothing could be tried: nothing listens');
  });
});
