import { describe, expect, test } from 'vitest';
import { BAD_KEYS as FORMS } from '../catalogue/key-states.ts';
import { leftOutText } from '../trace/left-out.ts';
import {
  BAD_KEYS,
  CONFORMING,
  CONTROLS,
  each,
  KEYLESS,
  OPERATIONS,
  operation,
  PROFILE,
  type Sketch,
} from './trace-builder.test-support.ts';
import { failing, part, verdictOn } from './verdicts.test-support.ts';

const keyless = (status: number): Sketch[] => each({ ...KEYLESS, status });

describe('without a key', () => {
  test('401 everywhere passes, with a witness of each operation', () => {
    const sketches = [...CONTROLS, ...keyless(401)];
    expect(verdictOn('AUTH-1', sketches)).toMatchObject({ verdict: 'pass', witnesses: 3 });
    expect(verdictOn('AUTH-4', sketches)).toMatchObject({ verdict: 'pass', witnesses: 3 });
  });

  test('a success fails AUTH-1, AUTH-4 and STATUS-401, each with control and probe', () => {
    const sketches = [...CONTROLS, ...keyless(401), { ...KEYLESS, operation: 'list-categories', status: 200 }];
    expect(failing(sketches)).toEqual(['AUTH-1', 'AUTH-4', 'STATUS-401']);
    expect(verdictOn('AUTH-4', sketches).followsFrom).toEqual(['AUTH-1']);
    expect(verdictOn('AUTH-4', [...sketches, { ...KEYLESS, status: 403 }]).followsFrom).toBeUndefined();
    expect(verdictOn('STATUS-401', sketches).followsFrom).toEqual(['AUTH-4']);
    const { proofs, parts } = verdictOn('AUTH-4', sketches);
    expect(proofs[0]?.evidence.map(({ seq }) => seq)).toEqual([3, 10]);
    expect(parts.map(({ name, verdict }) => [name, verdict])).toEqual([
      ['service', 'pass'],
      ['categories', 'fail'],
      ['labels', 'pass'],
    ]);
  });

  test('a success is proof by itself, where no good request was answered', () => {
    expect(verdictOn('AUTH-1', keyless(200)).verdict).toBe('fail');
  });

  test.each([403, 404, 400, 302])('%i is no success, and is not 401', (status) => {
    const sketches = [...CONTROLS, ...keyless(status)];
    expect(verdictOn('AUTH-1', sketches).verdict).toBe('pass');
    expect(verdictOn('AUTH-4', sketches)).toMatchObject({ verdict: 'fail' });
  });

  test('404 where the good request gets 404 too says nothing', () => {
    const sketches = [...each({ status: 404 }), ...keyless(404)];
    expect(verdictOn('AUTH-4', sketches)).toMatchObject({ verdict: 'inconclusive' });
    expect(verdictOn('AUTH-4', sketches).remedy).toContain('check in the profile');
  });

  test('429 is not 401, where fewer requests without an accepted key were sent than a limit allows', () => {
    for (const others of [[], keyless(401)]) {
      const verdict = verdictOn('AUTH-4', [...CONTROLS, ...others, ...keyless(429)]);
      expect(verdict).toMatchObject({ verdict: 'fail', summary: expect.stringContaining('answered 429, not 401') });
    }
  });

  test('429 is neither due nor wrong once a limit of requests without an accepted key was sent, which may be counted together', () => {
    const many = Array.from({ length: 100 }, (_, at) => keyless(401).map((one) => ({ ...one, sent: at }))).flat();
    const verdict = verdictOn('AUTH-4', [...CONTROLS, ...many, ...keyless(429).map((one) => ({ ...one, sent: 200 }))]);
    expect(verdict).toMatchObject({ verdict: 'inconclusive', summary: expect.stringContaining('answered 429') });
    expect(verdict.remedy).toMatch(/401, also where a limit of their own refuses them/);
    expect(verdictOn('AUTH-1', [...CONTROLS, ...keyless(429)]).verdict).toBe('inconclusive');
  });

  test('429 is no success: it leaves open only operations of which nothing else was answered', () => {
    expect(verdictOn('AUTH-1', [...CONTROLS, ...keyless(401), ...keyless(429)]).verdict).toBe('pass');
    const [first, ...others] = keyless(401);
    const verdict = verdictOn('AUTH-1', [...CONTROLS, ...(first ? [first] : []), ...keyless(429)]);
    expect(verdict).toMatchObject({ verdict: 'inconclusive', proofs: [] });
    const names = others.map((one) => one.operation);
    expect(verdict.summary).toBe(
      `${names.join(' and ')}: every answer without a key was 429, which does not show what is answered below that limit`,
    );
  });

  test('a 5xx in passing is left to STATUS-NO5XX; one that is the only answer is none of 401', () => {
    expect(failing([...CONTROLS, ...keyless(401), ...keyless(503)])).toEqual(['STATUS-SET', 'STATUS-NO5XX']);
    expect(failing([...CONTROLS, ...keyless(500)])).toEqual(['AUTH-4', 'STATUS-401', 'STATUS-NO5XX']);
  });

  test('no answer says nothing, and names the cause', () => {
    const sketches = [...CONTROLS, ...each({ ...KEYLESS, failure: 'reset', status: null })];
    expect(verdictOn('AUTH-4', sketches)).toMatchObject({ verdict: 'inconclusive' });
    expect(verdictOn('AUTH-4', sketches).summary).toContain('reset');
  });

  test('an operation that was not tried keeps AUTH-4 from passing, save in a quick check, which tries a sample', () => {
    const sketches = [...CONTROLS, ...keyless(401)];
    const profile = { ...PROFILE, operations: [...OPERATIONS, operation('get-more', 'service', 'read')] };
    expect(verdictOn('AUTH-4', sketches, { header: { profile } }).verdict).toBe('not tested');
    const quick = verdictOn('AUTH-4', sketches, { header: { profile, command: 'check' } });
    expect(quick).toMatchObject({ verdict: 'pass', notes: ['service: a quick check tries 1 of 2 operations'] });
  });

  test('an operation for which nothing could be sent is inconclusive, and says why', () => {
    const profile = { ...PROFILE, operations: [...OPERATIONS, operation('get-more', 'service', 'read')] };
    const text = leftOutText('probe', 'get-more', 'mk-more, which prepares other operations, answered 429');
    const note = { type: 'note', time: 1, code: 'experiment-failed', experiment: 'authentication', text } as const;
    const verdict = verdictOn('AUTH-4', [...CONTROLS, ...keyless(401)], { header: { profile }, notes: [note] });
    expect(verdict.verdict).toBe('inconclusive');
    expect(verdict.parts.find(({ name }) => name === 'service')?.summary).toContain('mk-more, which prepares');
    expect(verdict.remedy).toMatch(/run again/);
  });

  test('a group of which the profile names nothing is not tested, with what to add', () => {
    const profile = { ...PROFILE, operations: OPERATIONS.slice(0, 2) };
    expect(verdictOn('AUTH-1', [...CONTROLS, ...keyless(401)], { header: { profile } })).toMatchObject({
      verdict: 'not tested',
      remedy:
        'add an operation of the group labels to the profile: clause 4 gives each of the three groups some, and other groups do not show how this one treats keys',
    });
  });
});

test('a status outside the table that good requests get too is no answer to a fault', () => {
  const probe = { operation: 'list-categories', fault: 'parameter', status: 428 } as const;
  expect(failing([...CONTROLS, probe])).toEqual(['STATUS-400', 'STATUS-SET']);
  expect(failing([...CONTROLS, probe, { status: 428 }])).toEqual(['STATUS-SET']);
  expect(verdictOn('STATUS-400', [...CONTROLS, probe, { status: 428 }])).toMatchObject({ verdict: 'inconclusive' });
});

describe('AUTH-5', () => {
  test('each case answered 401 passes; each case otherwise fails by its name', () => {
    expect(verdictOn('AUTH-5', [...CONTROLS, ...BAD_KEYS]).verdict).toBe('pass');
    for (const { variation } of BAD_KEYS) {
      const sketches = [
        ...CONTROLS,
        ...BAD_KEYS.map((bad) => (bad.variation === variation ? { ...bad, status: 403 } : bad)),
      ];
      expect(failing(sketches)).toEqual(['AUTH-5', 'STATUS-401']);
      expect(verdictOn('STATUS-401', sketches).followsFrom).toEqual(['AUTH-5']);
      expect(part(verdictOn('AUTH-5', sketches), variation ?? '')).toBe('fail');
    }
  });

  test('a key that is accepted is shown before one that is refused 429, of the same form or another', () => {
    const near = { fault: 'bad-key', key: 'key-1', variation: 'added-last' } as const;
    const other = { ...near, variation: 'case-last' };
    const sketches = [{ ...near, status: 429 }, { ...near, status: 200 }, other, { ...other, status: 429 }];
    const verdict = verdictOn('AUTH-5', [...CONTROLS, ...BAD_KEYS, ...sketches]);
    expect(verdict.proofs[0]?.received).toBe('200');
    expect(verdict.summary).toMatch(/answered 200 or 429 instead of 401: added-last and case-last/);
  });

  test('forms that differ only in a further status are told together', () => {
    const form = (variation: string, ...statuses: readonly number[]): Sketch[] =>
      statuses.map((status) => ({ fault: 'bad-key', key: 'key-1', variation, status }));
    const sketches = [...form('added-last', 429, 200), ...form('case-last', 200), ...form('case-first', 403)];
    expect(verdictOn('AUTH-5', [...CONTROLS, ...BAD_KEYS, ...sketches]).summary).toBe(
      'requests with a wrong key are accepted, and answered 200 or 429 instead of 401: added-last and case-last; requests with a wrong key are answered 403, not 401: case-first',
    );
  });

  test('a key under another scheme than Bearer differs in the scheme from the same key by Bearer', () => {
    const odd = { fault: 'bad-key', key: 'key-1', variation: 'token', credential: 'other-scheme' } as const;
    const control = { credential: 'bearer' } as const;
    const { summary, proofs } = verdictOn('AUTH-5', [control, ...BAD_KEYS, { ...odd, status: 200 }]);
    expect(summary).toMatch(
      /that does not follow the word Bearer are accepted, and answered 200 instead of 401: token$/,
    );
    expect(proofs[0]?.argument.at(-1)).toMatch(
      /with key-1 sent under the scheme Token \(token\) was answered 200, and differs from #1 only in the scheme before the key: /,
    );
  });

  test('a case that was not tried is not tested', () => {
    expect(verdictOn('AUTH-5', [...CONTROLS, ...BAD_KEYS.slice(1)]).verdict).toBe('not tested');
  });

  test('what HTTP lets a server refuse before it looks at the key may be a 400, and no success', () => {
    const odd = { fault: 'bad-key', key: 'key-1', variation: 'look-alike' } as const;
    expect(failing([...CONTROLS, ...BAD_KEYS, { ...odd, status: 400 }])).toEqual([]);
    expect(failing([...CONTROLS, ...BAD_KEYS, { ...odd, status: 200 }])).toEqual(['AUTH-5', 'STATUS-401']);
    const plain = { ...odd, variation: 'altered-last', status: 400 };
    expect(failing([...CONTROLS, ...BAD_KEYS, plain])).toEqual(['AUTH-5', 'STATUS-401']);
  });

  test('any form of a family shows it', () => {
    const forms = ['unknown', 'cut-last', 'empty', 'token'].map((variation) => ({ ...BAD_KEYS[0], variation }));
    expect(verdictOn('AUTH-5', [...CONTROLS, ...forms]).verdict).toBe('pass');
    expect(verdictOn('AUTH-5', [...CONTROLS, ...forms.slice(0, 3)]).verdict).toBe('not tested');
  });

  test('forms that the keys of a certification do not allow are named', () => {
    const notes = (bad: readonly Sketch[]) => verdictOn('AUTH-5', [...CONTROLS, ...bad]).notes;
    expect(notes(BAD_KEYS)[0]).toMatch(/^keys in these forms were not tried.*: .*cut-last, .*two random keys/);
    const all = FORMS.map(({ name }) => ({ ...BAD_KEYS[0], variation: name }));
    expect(notes([...BAD_KEYS, ...all])).toEqual([]);
  });

  test('a bad key on an operation that needs none follows from AUTH-1', () => {
    const [bad] = BAD_KEYS;
    const open = { ...bad, operation: 'list-categories', status: 200 };
    const followed = (...more: readonly Sketch[]) =>
      verdictOn('AUTH-5', [...CONTROLS, ...BAD_KEYS, open, ...more]).followsFrom;
    expect(followed({ ...KEYLESS, operation: 'list-categories', status: 200 })).toEqual(['AUTH-1']);
    expect(followed()).toBeUndefined();
  });

  test('what a revoked key gets is observed only', () => {
    const revoked = { fault: 'bad-key', key: 'revoked', variation: 'revoked', status: 200 } as const;
    expect(failing([...CONTROLS, ...BAD_KEYS, revoked])).toEqual([]);
  });
});

describe('AUTH-6', () => {
  const probe = { operation: 'put-label', fault: 'permission', key: 'restricted' } as const;
  const known = { operation: 'get-service', key: 'restricted' };

  test('403 passes', () => {
    expect(verdictOn('AUTH-6', [...CONTROLS, { ...probe, status: 403 }]).verdict).toBe('pass');
  });

  test.each([200, 404, 400, 401])('%i fails AUTH-6 and STATUS-403', (status) => {
    const sketches = [...CONTROLS, known, { ...probe, status }];
    expect(failing(sketches)).toEqual(expect.arrayContaining(['AUTH-6', 'STATUS-403']));
    expect(verdictOn('STATUS-403', sketches).followsFrom).toEqual(['AUTH-6']);
  });

  test('401 to a restricted key that was never accepted may be a wrong key', () => {
    expect(verdictOn('AUTH-6', [...CONTROLS, { ...probe, status: 401 }])).toMatchObject({ verdict: 'inconclusive' });
  });

  test('no probe: not tested, with what to add', () => {
    expect(verdictOn('AUTH-6', CONTROLS)).toMatchObject({ verdict: 'not tested' });
    expect(verdictOn('AUTH-6', CONTROLS).remedy).toContain('SIZE_CHART_RESTRICTED_KEY');
  });
});

test('a conforming run fails nothing', () => {
  expect(failing(CONFORMING)).toEqual([]);
});
