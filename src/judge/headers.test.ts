import { describe, expect, test } from 'vitest';
import { judge } from './conclude.ts';
import { integerOf } from './fields.ts';
import {
  CONFORMING,
  CONTROLS,
  headers,
  limitsThat,
  OPERATIONS,
  PROFILE,
  type Sketch,
  traceOf,
} from './trace-builder.test-support.ts';
import { failing, part, verdictOn } from './verdicts.test-support.ts';

describe('integerOf', () => {
  test.each([
    [['100'], 100n],
    [[' 100\t'], 100n],
    [['0099'], 99n],
    [['-3'], -3n],
    [['18446744073709551616'], 18446744073709551616n],
    [[], null],
    [[''], null],
    [['100', '100'], null],
    [['100, 99'], null],
    [['10;w=1'], null],
    [['100.00'], null],
    [['1e3'], null],
    [['+5'], null],
    [['0x10'], null],
    [['١٠٠'], null],
    [['Sat, 21 Nov 2026 05:08:00 GMT'], null],
  ])('%j is %s', (lines, value) => {
    expect(integerOf(lines)).toBe(value);
  });
});

describe('HDR-1', () => {
  const lackingOn = (operation: string, fields = {}): Sketch => ({
    operation,
    headers: headers({ limit: [], ...fields }),
  });

  test('says how many answers lack which header, and to which operations', () => {
    const one = verdictOn('HDR-1', [...CONFORMING, lackingOn('put-label')]);
    expect(one.summary).toMatch(/^1 of \d+ answers with status 200 to put-label lacks X-RateLimit-Limit$/);
    const two = verdictOn('HDR-1', [
      ...CONFORMING,
      lackingOn('put-label'),
      lackingOn('get-service', { limit: ['1'], reset: [] }),
    ]);
    expect(two.summary).toMatch(
      /^1 of \d+ answers with status 200 to put-label lacks X-RateLimit-Limit and 1 of \d+ answers with status 200 to get-service lacks X-RateLimit-Reset$/,
    );
    const all = CONFORMING.map((each) => (each.status === 401 ? { ...each, headers: headers({ limit: [] }) } : each));
    expect(verdictOn('HDR-1', all).summary).toBe('answers with status 401 lack X-RateLimit-Limit');
  });

  test('where answers of many statuses lack it now and then, one sentence tells of all', () => {
    const some = [200, 400, 404].flatMap((status): Sketch[] =>
      Array.from({ length: 3 }, (_, at) => ({
        ...{ status, fault: 'unstated', operation: 'put-label' },
        ...(at === 0 && { headers: headers({ reset: [] }) }),
      })),
    );
    expect(verdictOn('HDR-1', [...CONFORMING, ...some]).summary).toMatch(
      /^3 of \d+ answers with status 200, 400 and 404 to put-label lack X-RateLimit-Reset$/,
    );
  });

  test('a cause fits how much is missing', () => {
    const lacking = (fields: Parameters<typeof headers>[0]) => [...CONFORMING, { headers: headers(fields) }];
    expect(verdictOn('HDR-1', lacking({ reset: [] })).remedy).toMatch(/one branch leaves one out/);
    expect(verdictOn('HDR-1', lacking({ limit: [], remaining: [], reset: [] })).remedy).toBeNull();
    const never = CONFORMING.map((each) => ({ ...each, headers: headers({ reset: [] }) }));
    expect(verdictOn('HDR-1', never).remedy).toBeNull();
  });

  test('passes with a witness of each status; a 500 need not be seen', () => {
    const verdict = verdictOn('HDR-1', CONFORMING);
    expect(verdict.verdict).toBe('pass');
    expect(part(verdict, '500')).toBe('not tested');
  });

  test.each([200, 400, 401, 403, 404, 429])('fails on %i alone where only that lacks a header', (status) => {
    const sketches = [...CONFORMING, { status, fault: 'unstated', headers: headers({ reset: [] }) } as const];
    const verdict = verdictOn('HDR-1', sketches);
    expect(verdict.verdict).toBe('fail');
    expect(verdict.parts.filter((each) => each.verdict === 'fail').map((each) => each.name)).toEqual([String(status)]);
    expect(verdict.proofs[0]).toMatchObject({ received: 'no X-RateLimit-Reset', part: String(status) });
  });

  test('a 500 without them fails, though it need not be seen', () => {
    expect(part(verdictOn('HDR-1', [...CONFORMING, { status: 500, headers: headers({ limit: [] }) }]), '500')).toBe(
      'fail',
    );
  });

  test('a status that was not seen leaves it not tested, with what to add', () => {
    const sketches = CONFORMING.filter((each) => each.status !== 404);
    expect(verdictOn('HDR-1', sketches)).toMatchObject({
      verdict: 'not tested',
      remedy: 'add a probe to probes.not_found of the profile',
    });
  });
});

test('where requests for a status were answered otherwise, that is to be mended first', () => {
  const sketches = CONFORMING.map((each) => (each.status === 404 ? { ...each, status: 410 } : each));
  expect(verdictOn('HDR-1', sketches)).toMatchObject({
    verdict: 'inconclusive',
    remedy: 'look at STATUS-404 first: what should be answered 404 was answered 410',
  });
});

test('random requests provoke no such answers, and no probe of the profile would change that', () => {
  const sketches = CONFORMING.filter((each) => each.status !== 404);
  const verdicts = judge(traceOf(sketches, { header: { command: 'property' } }), limitsThat()).verdicts;
  expect(verdicts.find(({ id }) => id === 'HDR-1')?.remedy).toContain('run certify: property provokes no such answer');
});

describe('HDR-2', () => {
  test('of two headers it speaks in the plural', () => {
    const both = [...CONTROLS, { headers: headers({ remaining: ['x'], reset: ['y'] }) }];
    expect(verdictOn('HDR-2', both).summary).toMatch(
      /^X-RateLimit-Remaining and X-RateLimit-Reset are not single integers on 1 of /,
    );
  });

  test.each([['100', '100'], ['100, 99'], ['99.0'], [''], ['10, 10;w=1']].map((lines) => [lines]))(
    'Remaining %j fails it, and what reads Remaining is not judged',
    (remaining) => {
      const sketches = [...CONFORMING, { headers: headers({ remaining }) }];
      expect(failing(sketches)).toEqual(['HDR-2']);
      expect(verdictOn('HDR-4', sketches)).toMatchObject({ verdict: 'inconclusive', suppressedBy: ['HDR-2'] });
      expect(verdictOn('HDR-3', sketches).verdict).toBe('pass');
    },
  );

  test.each([
    ['1,795,910,235', true],
    ['1.795.910.235', true],
    ['1 795 910 235', true],
    ['1’795’910’235', true],
    ['1\u00e2\u0080\u00af795\u00e2\u0080\u00af910\u00e2\u0080\u00af235', true],
    ['100, 100, 100', false],
    ['100,100', false],
    ['1795910235.123', false],
    ['1795910235,1795910235', false],
  ])('%s is one number with separators: %s', (reset, isFormatted) => {
    const verdict = verdictOn('HDR-2', [...CONTROLS, { headers: headers({ reset: [reset] }) }]);
    expect(verdict.verdict).toBe('fail');
    const said = verdict.proofs[0]?.argument.at(-1) ?? '';
    expect(/one number, but with separators/.test(said)).toBe(isFormatted);
    expect(said.match(/an integer/g)).toHaveLength(1);
    expect(/separators between thousands/.test(verdict.remedy ?? '')).toBe(isFormatted);
  });

  test('a header that is never sent cannot be judged', () => {
    const sketches = CONFORMING.map((each) => ({ ...each, headers: headers({ reset: [] }) }));
    expect(verdictOn('HDR-2', sketches).verdict).toBe('inconclusive');
  });
});

describe('HDR-3', () => {
  const limited = (limit: string, sketch: Sketch): Sketch => ({ ...sketch, headers: headers({ limit: [limit] }) });
  test.each([
    ['the other limit on all writes', limited('100', { operation: 'put-label', kind: 'write' }), /covers both kinds/],
    [
      'the other limit on one operation',
      limited('30', { operation: 'search', kind: 'read' }),
      /treats some operations as/,
    ],
    ['the other limit on one request of many to an operation', limited('30', {}), /another request overwrites it/],
    [
      'the other limit where the resource is missing',
      limited('30', { fault: 'missing' }),
      /looked up with the resource/,
    ],
    ['0 on refusals', limited('0', { status: 429 }), /another component writes the refusals/],
    ['another number', limited('60', {}), /has another limit/],
  ])('a cause fits what was seen: %s', (_, wrong, cause) => {
    const { remedy } = verdictOn('HDR-3', [...CONTROLS.filter(({ operation }) => operation !== 'put-label'), wrong]);
    expect(remedy).toMatch(cause);
  });

  test('the other limit on all requests with the key in one header is no race', () => {
    const right = CONTROLS.filter(({ credential }) => credential !== 'bearer');
    const wrong = limited('30', { credential: 'bearer' });
    expect(verdictOn('HDR-3', [...right, wrong, wrong]).remedy).toMatch(/the key in this header/);
  });

  const wrong: Sketch = { headers: headers({ limit: ['60'] }) };

  test('fails by kind', () => {
    const verdict = verdictOn('HDR-3', [...CONTROLS, wrong]);
    expect(verdict.verdict).toBe('fail');
    expect([part(verdict, 'read'), part(verdict, 'write')]).toEqual(['fail', 'pass']);
  });

  test('is not judged on answers to requests without an accepted key', () => {
    for (const bare of [
      { ...wrong, fault: 'no-key', key: null, status: 401 },
      { ...wrong, status: 401 },
      { ...wrong, fault: 'bad-key', status: 401, variation: 'unknown' },
    ] as const) {
      expect(verdictOn('HDR-3', [...CONTROLS, bare]).verdict).toBe('pass');
    }
  });

  test('a wrong limit stands beside a malformed one: two defects', () => {
    const malformed: Sketch = { headers: headers({ limit: ['100, 100'] }) };
    expect(failing([...CONTROLS, malformed])).toEqual(['HDR-2']);
    expect(failing([...CONTROLS, malformed, wrong])).toEqual(['HDR-2', 'HDR-3']);
  });

  test('needs a read and a write', () => {
    expect(verdictOn('HDR-3', [{}, {}, {}])).toMatchObject({
      verdict: 'not tested',
      remedy: 'find out why no write operation was answered with a valid key (doctor shows each answer)',
    });
    const reads = { profile: { ...PROFILE, operations: OPERATIONS.filter(({ kind }) => kind === 'read') } };
    expect(verdictOn('HDR-3', [{}, {}, {}], { header: reads }).remedy).toBe('add a write operation to the profile');
  });
});

describe('HDR-6', () => {
  test.each([
    ['42', 'fail'],
    ['999999', 'fail'],
    ['-1800000000', 'fail'],
    ['1000000', 'pass'],
    ['1800000000', 'pass'],
    ['1800000000000000000', 'pass'],
  ])('%s: %s', (reset, verdict) => {
    expect(verdictOn('HDR-6', [...CONTROLS, { headers: headers({ reset: [reset] }) }]).verdict).toBe(verdict);
  });

  test('is judged on a 401 too', () => {
    const sketches = [
      ...CONTROLS,
      { fault: 'no-key', key: null, status: 401, headers: headers({ reset: ['42'] }) },
    ] as const;
    expect(verdictOn('HDR-6', sketches).verdict).toBe('fail');
    expect(verdictOn('HDR-7', sketches).suppressedBy).toEqual(['HDR-6']);
  });
});
