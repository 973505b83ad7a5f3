import { describe, expect, test } from 'vitest';
import { CONTROLS, each } from './trace-builder.test-support.ts';
import { failing, part, verdictOn } from './verdicts.test-support.ts';

describe('AUTH-2, AUTH-3 and AUTH-7', () => {
  test('both ways accepted everywhere pass', () => {
    for (const id of ['AUTH-2', 'AUTH-3', 'AUTH-7'] as const) expect(verdictOn(id, CONTROLS).verdict).toBe('pass');
  });

  test.each([401, 403, 400])('Bearer answered %i where X-API-Key succeeds fails AUTH-3 alone', (status) => {
    const sketches = [...each({}), ...each({ credential: 'bearer', status })];
    expect(failing(sketches)).toEqual(['AUTH-3']);
    expect(verdictOn('AUTH-7', sketches)).toMatchObject({ verdict: 'inconclusive', suppressedBy: ['AUTH-3'] });
  });

  test.each([400, 403])('what both ways are answered once a thing is there says nothing of the key: %i', (status) => {
    const taken = each({ status });
    const sketches = [...each({}), ...taken, ...taken.map((sketch) => ({ ...sketch, credential: 'bearer' as const }))];
    expect(verdictOn('AUTH-3', sketches).verdict).toBe('inconclusive');
  });

  test('a header with which some operations are not found is accepted, and answered otherwise', () => {
    const sketches = [...CONTROLS.slice(0, 4), { operation: 'put-label' }];
    sketches.push({ operation: 'put-label', credential: 'bearer', status: 404 });
    expect(failing(sketches)).toEqual(['AUTH-7']);
  });

  test('what both headers are answered, with one key or another, does not depend on the header', () => {
    const request = { operation: 'put-label', kind: 'write' } as const;
    const [bearer, other] = [{ credential: 'bearer' }, { key: 'key-2' }] as const;
    const busy = [...CONTROLS.slice(0, 4), request, { ...request, ...bearer, status: 409 }];
    const elsewhere = [
      { ...request, ...other, status: 409 },
      { ...request, ...other, ...bearer },
    ];
    expect(failing(busy)).toContain('AUTH-7');
    expect(failing([...busy, ...elsewhere])).not.toContain('AUTH-7');
    expect(failing([...busy, { ...request, ...other, ...bearer }])).toContain('AUTH-7');
  });

  test.each([
    ['others of its group are answered otherwise with this header', { key: 'key-2' }, false],
    ['it is answered so alone, too', { status: 409 }, true],
    ['it is always answered so', { credential: 'x-api-key' }, true],
  ] as const)('what a request meets only beside others is not due to its header: %s', (_, more, fails) => {
    const put = { operation: 'put-label', sent: 10_000 } as const;
    const both = [put, { ...put, credential: 'bearer', status: 409 } as const];
    const sketches = [
      ...CONTROLS.slice(0, 4),
      ...both,
      { ...put, credential: 'bearer', sent: 20_000, ...more } as const,
    ];
    expect(failing(sketches).includes('AUTH-7')).toBe(fails);
  });

  test('a probe with the key in a header that is not accepted has no control', () => {
    const probe = { operation: 'list-categories', fault: 'missing', status: 401 } as const;
    expect(failing([...each({ credential: 'bearer' }), ...each({ status: 401 }), probe])).toEqual(['AUTH-2']);
  });

  test('a 403 to an operation that succeeds with that header else is no refusal of the key', () => {
    expect(failing([...CONTROLS, { status: 403 }])).toEqual([]);
  });

  test('one 401 to a key that is good is not outweighed by any number of successes', () => {
    expect(failing([...CONTROLS, ...CONTROLS, { status: 401 }])).toContain('AUTH-2');
  });

  test('where the same request succeeds at other times, the header is read, and the key was not found', () => {
    expect(verdictOn('AUTH-2', [...CONTROLS, { status: 401 }]).remedy).toMatch(/lacks some of them for a while/);
    const never = [...each({ credential: 'bearer' }), ...each({ status: 401 })];
    expect(verdictOn('AUTH-2', never).remedy).toBeNull();
  });

  test('a key that is accepted nowhere is no evidence', () => {
    expect(verdictOn('AUTH-2', each({ status: 401 })).verdict).toBe('inconclusive');
  });

  test('the ways differ on a missing thing', () => {
    const missing = { operation: 'list-categories', fault: 'missing' } as const;
    const sketches = [...CONTROLS, { ...missing, status: 404 }, { ...missing, credential: 'bearer', status: 403 }];
    expect(verdictOn('AUTH-7', sketches).verdict).toBe('fail');
    expect(part(verdictOn('AUTH-7', sketches), 'list-categories')).toBe('fail');
  });
});
