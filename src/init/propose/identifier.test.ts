import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tried } from '../../../test/sampled.test-support.ts';
import { apiOf } from '../openapi/operations.ts';
import { absentId, idToPut } from './identifier.ts';
import { propose } from './propose.ts';

describe('what no thing is called', () => {
  test.each([
    [{ type: 'string' }, '{{uuid}}'],
    [{ type: 'string', format: 'uuid' }, '{{uuid}}'],
    [{ type: 'string', minLength: 40 }, 'xxxx{{uuid}}'],
    [{ type: 'string', minLength: 8, maxLength: 8 }, 'absentxx'],
    [{ type: 'string', pattern: '^[a-z][a-z0-9-]+$' }, 'absent-{{uuid}}'],
    [{ type: 'integer' }, '2147483646'],
    [{ type: 'integer', exclusiveMaximum: 900_000 }, '899999'],
  ])('%j: %s', (schema, value) => expect(absentId(schema, 'id')).toEqual({ value, checks: [] }));

  test.each([
    ['^[0-9A-F]+$', 8],
    ['^[0-9A-F]+$', 24],
    ['^cat_[a-z0-9]{10}$', null],
    ['^L-[0-9]{6}$', null],
    [String.raw`^[A-Z]{4}-\d{4}$`, null],
  ])('a pattern and a length hold: %s, %j', (pattern, length) => {
    const lengths = length === null ? {} : { minLength: length, maxLength: length };
    const { value, checks } = absentId({ type: 'string', pattern, ...lengths }, 'id');
    expect(value).toMatch(new RegExp(pattern));
    if (length !== null) expect(value).toHaveLength(length);
    expect(checks).toEqual([]);
  });

  test('whatever the numbers of a pattern, it holds', () => {
    const numbers = fc.record({ least: fc.integer({ min: 4, max: 9 }), more: fc.integer({ min: 0, max: 6 }) });
    fc.assert(
      fc.property(numbers, fc.constantFrom('[0-9]', '[A-F0-9]', '[a-z]'), ({ least, more }, characters) => {
        const pattern = `^id_${characters}{${least},${least + more}}$`;
        expect(absentId({ pattern }, 'id').value).toMatch(new RegExp(pattern));
      }),
      { numRuns: tried(20) },
    );
  });

  test('it is nothing that the document shows', () => {
    const { value } = absentId({ pattern: '^(?:AAAA|BBBB)$' }, 'id', ['AAAA']);
    expect(value).toBe('BBBB');
  });

  test('a person checks what may be somebody, and what does not match', () => {
    const { checks } = absentId({ pattern: '^[A-Z]{2}$' }, 'code');
    expect(checks).toEqual([expect.stringMatching(/^Is there really nothing with the code [A-Z]{2}\?$/)]);
    expect(absentId({ type: 'integer', maximum: 20 }, 'n').checks).toEqual(['Is there really nothing with the n 20?']);
    expect(absentId({ pattern: '^(?=.*x)[0-9]{5}$' }, 'zip').checks).toEqual([
      'zip has a pattern in the document, and no value was found for it: write one that matches.',
    ]);
  });
});

describe('what the suite puts', () => {
  test.each([
    [{ type: 'string' }, 'SHOE-1', 'conformance', 0],
    [{ type: 'string', pattern: '^[A-Z]+$' }, 'SHOE', 'CONFORMANCE', 0],
    [{ type: 'string', pattern: String.raw`^[A-Z]{4}-\d{4}$` }, 'SHOE-0001', 'SHOE-0001', 1],
    [{ type: 'integer', maximum: 99 }, null, '99', 0],
  ])('%j with the example %j: %s', (schema, shown, value, checks) => {
    const put = idToPut(schema, 'code', shown);
    expect([put.value, put.checks.length]).toEqual([value, checks]);
  });

  test('a pattern without an example holds', () =>
    expect(idToPut({ pattern: '^[a-z]{3}_[0-9]{4}$' }, 'code', null).value).toMatch(/^[a-z]{3}_[0-9]{4}$/));
});

test('one name is put, read and removed, and another is absent', () => {
  const code = { name: 'code', in: 'path', required: true, schema: { type: 'string', pattern: '^[A-Z]{4}-[0-9]{4}$' } };
  const content = { 'application/json': { schema: { properties: { name: {} } } } };
  const methods = { get: {}, put: { requestBody: { content } }, delete: {} };
  const api = apiOf({
    paths: { '/categories/{code}': { parameters: [{ ...code, example: 'SHOE-0001' }], ...methods } },
  });
  const { operations, probes } = propose(api, { baseUrl: null, name: null }, null);
  expect(new Set(operations.map(({ value }) => value.path))).toEqual(new Set(['/categories/SHOE-0001']));
  const [absent] = probes.not_found;
  expect(absent?.value.path).toMatch(/^\/categories\/[A-Z]{4}-[0-9]{4}$/);
  expect(absent?.value.path).not.toContain('SHOE-0001');
});
