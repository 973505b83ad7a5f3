import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RequestTemplate } from './profile.ts';
import { MissingVariable, malformedVariable, renderRequest, valueSource, variablesIn } from './template.ts';

const source = () =>
  valueSource(
    () => 0x89abcdef,
    () => 1_700_000_000_123.7,
  );

function template(parts: Partial<RequestTemplate>): RequestTemplate {
  return { method: 'POST', path: '/labels', query: {}, headers: {}, body: null, ...parts };
}

const json = (text: string) => ({ contentType: 'application/json; charset=utf-8', text });

describe('a rendered request', () => {
  test('has generated values, the same wherever they stand in it', () => {
    const values = source();
    const parts = template({
      path: '/labels/{{uuid}}',
      headers: { 'Idempotency-Key': '{{uuid}}' },
      body: json('{"n":"{{counter}}-{{ counter }}","t":{{timestamp}}}'),
    });
    const rendered = renderRequest(parts, {}, values);
    expect(rendered).toEqual({
      method: 'POST',
      target: '/labels/89abcdef-89ab-4def-89ab-cdef89abcdef',
      headers: [['Idempotency-Key', '89abcdef-89ab-4def-89ab-cdef89abcdef']],
      body: json('{"n":"1-1","t":1700000000123}'),
    });
    expect(renderRequest(parts, {}, values).body?.text).toBe('{"n":"2-2","t":1700000000123}');
  });

  test('names the variable that has no value', () => {
    expect(() => renderRequest(template({ path: '/{{label_id}}' }), {}, source())).toThrow(
      new MissingVariable('label_id'),
    );
    expect(() => renderRequest(template({ path: '/{{toString}}' }), {}, source())).toThrow(MissingVariable);
  });

  const wellFormed = fc.string({ unit: 'grapheme' });

  test('carries any value unharmed through path, query and JSON body', () => {
    fc.assert(
      fc.property(wellFormed, (value) => {
        const parts = template({ path: '/a/{{v}}/b', query: { 'q q': '<{{v}}>' }, body: json('{"x":"{{v}}"}') });
        const { target, body } = renderRequest(parts, { v: value }, source());
        const [path = '', query = ''] = target.split('?');
        expect(path.split('/').map(decodeURIComponent)).toEqual(['', 'a', value, 'b']);
        expect([...new URLSearchParams(query)]).toEqual([['q q', `<${value}>`]]);
        expect(JSON.parse(body?.text ?? '')).toEqual({ x: value });
      }),
    );
  });

  test('does not fill in what a value holds', () => {
    const { body } = renderRequest(template({ body: json('"{{a}}"') }), { a: '{{b}}', b: 'no' }, source());
    expect(body?.text).toBe('"{{b}}"');
  });

  test('is as it was where there is no variable', () => {
    fc.assert(
      fc.property(wellFormed, (text) => {
        fc.pre(!text.includes('{{'));
        const body = { contentType: 'text/plain', text };
        expect(renderRequest(template({ body }), {}, source()).body).toEqual(body);
        expect(variablesIn(text)).toEqual([]);
        expect(malformedVariable(text)).toBeNull();
      }),
    );
  });
});

test('a UUID is of version 4 and of the variant of RFC 9562, whatever the random numbers', () => {
  fc.assert(
    fc.property(fc.infiniteStream(fc.integer({ min: 0, max: 0xffffffff })), (numbers) => {
      const random = () => numbers.next().value ?? 0;
      expect(valueSource(random, () => 0).uuid()).toMatch(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
    }),
  );
});

test.each([
  ['{{a}} {{ b_1 }} {{a}}', ['a', 'b_1'], null],
  ['{{a', [], '{{a'],
  ['{{a-b}}', [], '{{a-b}}'],
  ['{{}}', [], '{{}}'],
  ['{{a}} {{#b}}', ['a'], '{{#b}}'],
  ['{a} }} {', [], null],
])('%s has its variables and faults found', (text, names, malformed) => {
  expect(variablesIn(text)).toEqual(names);
  expect(malformedVariable(text)).toBe(malformed);
});
