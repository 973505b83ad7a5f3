import { describe, expect, test } from 'vitest';
import { CONFORMING, CONTROLS, each, headers, type Sketch } from './trace-builder.test-support.ts';
import { failing, part, verdictOn } from './verdicts.test-support.ts';

describe('STATUS-200', () => {
  test.each([201, 202, 204])('a success with %i fails, and is outside the table', (status) => {
    expect(failing([...CONTROLS, { operation: 'put-label', status }])).toEqual(['STATUS-200', 'STATUS-SET']);
  });

  test('a good request that never succeeds is inconclusive, and the profile is named', () => {
    const sketches = [...each({}), { operation: 'get-thing', pair: null, status: 404 }];
    expect(verdictOn('STATUS-200', sketches)).toMatchObject({ verdict: 'inconclusive' });
    expect(verdictOn('STATUS-200', [...each({}), { status: 404 }]).verdict).toBe('pass');
  });

  test('an answer that never came to its end is no success', () => {
    const cut = (sketches: readonly Sketch[]): Sketch[] => sketches.map((sketch) => ({ ...sketch, truncated: true }));
    expect(verdictOn('STATUS-200', cut(CONTROLS))).toMatchObject({ verdict: 'inconclusive' });
    expect(verdictOn('STATUS-200', [...CONTROLS, ...cut(CONTROLS)]).verdict).toBe('pass');
  });

  test('a 429 to a good request is no failure of it', () => {
    expect(verdictOn('STATUS-200', [...CONTROLS, { status: 429 }]).verdict).toBe('pass');
  });
});

test('a probe that gets a 5xx each time fails beside one that is answered as due; a single 5xx does not', () => {
  const probe = (step: string, status: number): Sketch => ({
    operation: 'list-categories',
    fault: 'parameter',
    step,
    status,
  });
  const other = probe('page', 400);
  expect(failing([...CONTROLS, other, probe('offset', 500)])).toEqual(['STATUS-NO5XX']);
  const twice = [probe('offset', 500), probe('offset', 500)];
  expect(failing([...CONTROLS, other, ...twice])).toEqual(['STATUS-400', 'STATUS-NO5XX']);
  expect(failing([...CONTROLS, other, ...twice, probe('offset', 400)])).toEqual(['STATUS-NO5XX']);
});

test('a faulty request is compared with the same key, where that has succeeded', () => {
  const own = { operation: 'list-categories', key: 'key-2' } as const;
  const { proofs } = verdictOn('STATUS-404', [...CONTROLS, own, { ...own, fault: 'missing', status: 200 }]);
  expect(proofs[0]?.evidence.map(({ key }) => key)).toEqual(['key-2', 'key-2']);
});

describe.each([
  ['STATUS-400', 'parameter', 400, 422],
  ['STATUS-404', 'missing', 404, 200],
  ['STATUS-500', 'internal', 500, 503],
] as const)('%s', (id, fault, due, other) => {
  const probe = (status: number): Sketch => ({ operation: 'list-categories', fault, status });

  test('passes on the status that is due, beside its control', () => {
    expect(verdictOn(id, [...CONTROLS, probe(due)]).verdict).toBe('pass');
  });

  test('fails on another', () => {
    expect(verdictOn(id, [...CONTROLS, probe(other)])).toMatchObject({ verdict: 'fail' });
    expect(part(verdictOn(id, [...CONTROLS, probe(other)]), 'list-categories')).toBe('fail');
  });

  test('says nothing without a control, on 429, and without an answer', () => {
    expect(verdictOn(id, [{}, probe(due)]).verdict).toBe('inconclusive');
    expect(verdictOn(id, [{}, probe(other)]).verdict).toBe('inconclusive');
    expect(verdictOn(id, [...CONTROLS, probe(429)]).verdict).toBe('inconclusive');
    expect(verdictOn(id, [...CONTROLS, { ...probe(due), status: null, failure: 'timeout' }]).verdict).toBe(
      'inconclusive',
    );
  });

  test('is not tested where the profile names no probe', () => {
    expect(verdictOn(id, CONTROLS)).toMatchObject({ verdict: 'not tested' });
    expect(verdictOn(id, CONTROLS).remedy).toContain('probes.');
  });
});

describe('an answer that another cause may explain', () => {
  const missing = { operation: 'list-categories', fault: 'missing' } as const;

  test('a 401 where good keys get it too is no answer to another fault', () => {
    expect(failing([...CONTROLS, { ...missing, status: 401 }])).toContain('STATUS-404');
    const sometimes = [...CONTROLS, { status: 401 }, { ...missing, status: 401 }];
    expect(failing(sometimes)).not.toContain('STATUS-404');
    expect(verdictOn('STATUS-404', sometimes)).toMatchObject({ verdict: 'inconclusive' });
  });

  test('nor is an answer to a key that has spent a limit within the minute', () => {
    const spent = Array.from({ length: 100 }, () => ({ operation: 'get-service' }));
    expect(failing([...CONTROLS, ...spent, { ...missing, status: 200 }])).not.toContain('STATUS-404');
    const later = { ...missing, status: 200, sent: 100e6, answered: 101e6 };
    expect(failing([...CONTROLS, ...spent, later])).toContain('STATUS-404');
    expect(failing([...CONTROLS, ...spent, { ...missing, status: 200, key: 'key-2' }])).toContain('STATUS-404');
  });
});

describe('STATUS-SET and STATUS-NO5XX', () => {
  test('pass on ten answers of the table, and not on fewer', () => {
    expect(verdictOn('STATUS-SET', CONFORMING).verdict).toBe('pass');
    expect(verdictOn('STATUS-NO5XX', CONFORMING).verdict).toBe('pass');
    expect(verdictOn('STATUS-SET', CONTROLS).verdict).toBe('not tested');
  });

  test('equal failures are one proof with a count', () => {
    const sketches = [...CONFORMING, ...each({ status: 503 }), ...each({ status: 502 })];
    const { proofs } = verdictOn('STATUS-NO5XX', sketches);
    expect(proofs.map(({ received }) => received)).toEqual([
      '503 (3 times in the run; the first is shown)',
      '502 (3 times in the run; the first is shown)',
    ]);
  });

  test('of what only faulty requests get, nothing is said that sets them apart from good ones', () => {
    const gone = each({ fault: 'missing', status: 410 });
    const said = '3 requests were answered 410, which is not one of the seven statuses of clause 7';
    expect(verdictOn('STATUS-SET', [...CONFORMING, ...gone]).summary).toBe(said);
  });

  test('a provoked 500 is none', () => {
    expect(failing([...CONFORMING, { fault: 'internal', status: 500 }])).toEqual([]);
  });

  test.each(['path-case', 'trailing-slash', 'head', 'options', 'unknown-path', 'outside-prefix'])(
    'what %s answers is only observed',
    (variation) => {
      const foreign = { operation: null, fault: 'unstated', variation, headers: headers({ limit: [] }) } as const;
      for (const status of [301, 405, 501]) {
        expect(failing([...CONFORMING, { ...foreign, status }])).toEqual([]);
        expect(failing([...CONFORMING, { ...foreign, operation: 'get-service', status }])).toEqual([]);
      }
    },
  );
});

test.each([
  ['STATUS-401', { fault: 'no-key', key: null, credential: 'none', status: 403 }, 'the key'],
  ['STATUS-403', { operation: 'put-label', fault: 'permission', key: 'restricted', status: 404 }, 'the key'],
  ['STATUS-400', { fault: 'parameter', status: 404 }, 'a parameter'],
  ['STATUS-404', { fault: 'missing', key: 'key-2', status: 403 }, 'the thing that it asks for and the key'],
] as const)('%s: a proof says in what a probe differs from the request that succeeded', (id, probe, what) => {
  const { proofs } = verdictOn(id, [...CONFORMING, probe]);
  const argument = proofs.find(({ evidence }) => evidence.at(-1)?.seq === CONFORMING.length + 1)?.argument.at(-1);
  expect(argument).toMatch(new RegExp(`, and differs from #\\d+ only in ${what}: `));
});
