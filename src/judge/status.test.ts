import { describe, expect, test } from 'vitest';
import { judge } from './conclude.ts';
import { CONFORMING, CONTROLS, each, headers, limitsThat, type Sketch, traceOf } from './trace-builder.test-support.ts';
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

describe('STATUS-429', () => {
  const spent = Array.from({ length: 30 }, (): Sketch => ({ operation: 'put-label' }));
  const proof = { expected: '', received: '', evidence: [], argument: [], diagnosis: null };
  const refused = (count: number, status: number) =>
    Array.from({ length: count }, (): Sketch => ({ operation: 'put-label', status }));

  test('passes on a 429', () => {
    expect(verdictOn('STATUS-429', [...spent, ...refused(1, 429)]).verdict).toBe('pass');
  });

  test.each([403, 503, 400])('fails where a spent budget is refused with %i', (status) => {
    const { verdict, proofs } = verdictOn('STATUS-429', [...spent, ...refused(3, status)]);
    expect(verdict).toBe('fail');
    expect(proofs[0]?.evidence).toHaveLength(4);
  });

  test('fails where one operation is refused in another way, and others with 429', () => {
    const one = { operation: 'get-service' };
    const other = { operation: 'list-categories' };
    const odd = { ...one, status: 503 };
    const right = { ...other, status: 429 };
    // Failed requests have spent the rest of the budget: fewer than a limit succeeded.
    const before = [one, other, right];
    const { verdict, summary, proofs } = verdictOn('STATUS-429', [...before, odd, right, odd, odd]);
    expect([verdict, summary]).toEqual(['fail', 'over the limit, requests of get-service are answered 503, not 429']);
    expect(proofs[0]?.evidence.map(({ status }) => status)).toEqual([429, 503, 503, 503]);
    // If it is refused with 429, too, or if something was left again, that is no way of refusing.
    for (const between of [{ ...one, status: 429 }, one, other]) {
      expect(verdictOn('STATUS-429', [...before, odd, odd, between, odd]).verdict).toBe('pass');
    }
  });

  test('names the header, or all operations, whose requests are refused in another way', () => {
    const none = headers({ remaining: ['0'] });
    const over = (operation: string, credential: string, status: number): Sketch => {
      return { operation, credential, status, headers: none };
    };
    const [own, other, third] = ['get-service', 'list-categories', 'list-labels'] as const;
    const before = [own, other, third].flatMap((operation): Sketch[] => [
      { operation, credential: 'bearer' },
      { operation, credential: 'x-api-key' },
    ]);
    const told = (...answers: readonly Sketch[]) => {
      const first = over(other, 'x-api-key', 429);
      return verdictOn('STATUS-429', [...before, first, ...answers, ...answers, ...answers]).summary;
    };
    expect(told(over(own, 'bearer', 403), over(third, 'bearer', 403))).toBe(
      'over the limit, reads with the key by bearer are answered 403, not 429',
    );
    expect(told(over(own, 'bearer', 403), over(own, 'x-api-key', 429))).toBe(
      'over the limit, reads with the key by bearer are answered 403, not 429',
    );
    expect(told(over(own, 'bearer', 503), over(third, 'x-api-key', 503))).toBe(
      'over the limit, requests of get-service and list-labels are answered 503, not 429',
    );
    expect(told(over(own, 'x-api-key', 503), over(third, 'bearer', 429), over(third, 'x-api-key', 429))).toBe(
      'over the limit, requests of get-service are answered 503, not 429',
    );
  });

  test('fails where an operation is refused in another way now and then, and never with 429', () => {
    const one = { operation: 'get-service' };
    const other = { operation: 'list-categories' };
    const odd = { ...one, status: 403 };
    const right = { ...other, status: 429 };
    const spentReads = [one, ...Array.from({ length: 99 }, (): Sketch => other), right];
    const rounds = [...spentReads, odd, right, other, right, odd, other, right, odd];
    const { verdict, summary, proofs } = verdictOn('STATUS-429', rounds);
    expect([verdict, summary]).toEqual(['fail', 'over the limit, requests of get-service are answered 403, not 429']);
    expect(proofs[0]?.evidence.map(({ status }) => status)).toEqual([429, 403, 403, 403]);
    // A refusal may come after them, if each says itself that nothing is left.
    const told = { ...odd, headers: headers({ remaining: ['0'] }) };
    const early = [...spentReads.slice(0, -1), told, other, told, other, told, right];
    expect(verdictOn('STATUS-429', early).verdict).toBe('pass');
    const last = [...spentReads.slice(0, -1), other, told, told, told, right];
    expect(verdictOn('STATUS-429', last).verdict).toBe('fail');
    // It is no way of refusing if a 429 comes too, if the same comes within the limit, or if it is rare.
    expect(verdictOn('STATUS-429', [...rounds, { ...one, status: 429 }]).verdict).toBe('pass');
    expect(verdictOn('STATUS-429', [one, odd, ...rounds]).verdict).toBe('pass');
    expect(verdictOn('STATUS-429', rounds.slice(0, -1)).verdict).toBe('pass');
  });

  test('says nothing where the budget was not spent, or the refusals do not last', () => {
    expect(verdictOn('STATUS-429', [...spent.slice(1), ...refused(9, 403)]).verdict).toBe('not tested');
    expect(verdictOn('STATUS-429', [...spent, ...refused(2, 403), {}]).verdict).toBe('not tested');
    expect(verdictOn('STATUS-429', [...spent, { operation: 'put-label' }]).verdict).toBe('inconclusive');
  });

  test('says nothing of a header in which the key is never accepted', () => {
    const other = refused(3, 401).map((each) => ({ ...each, credential: 'bearer' }));
    expect(verdictOn('STATUS-429', [...spent, ...other]).verdict).toBe('not tested');
  });

  test('fails where nothing is refused, and the oracle shows that the limit was passed', () => {
    const trace = traceOf([...spent, { operation: 'put-label' }]);
    const { verdicts } = judge(trace, limitsThat({ 'LIMIT-W': 'fail' }, { proofs: [proof] }));
    expect(verdicts.find((each) => each.id === 'STATUS-429')).toMatchObject({
      verdict: 'fail',
      proofs: [proof],
      followsFrom: ['LIMIT-W'],
    });
  });

  test.each(['interrupted', 'cut short'] as const)(
    'a run that was %s may have ended before the first refusal',
    (outcome) => {
      const trace = traceOf(
        Array.from({ length: 31 }, (): Sketch => ({ operation: 'put-label' })),
        { outcome },
      );
      const { verdicts } = judge(trace, limitsThat({ 'LIMIT-W': 'fail' }));
      expect(verdicts.find((each) => each.id === 'STATUS-429')?.verdict).toBe('inconclusive');
    },
  );

  test('successes spread over more than a minute spend nothing', () => {
    const slow = spent.map((each, index) => ({ ...each, sent: index * 3e6 }));
    const late = refused(3, 403).map((each, index) => ({ ...each, sent: 95e6 + index }));
    expect(verdictOn('STATUS-429', [...slow, ...late]).verdict).not.toBe('fail');
  });
});
