import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import schema from '../../schema/profile.schema.json' with { type: 'json' };
import { tried } from '../../test/sampled.test-support.ts';
import { MINIMAL, profileOf } from './profile.test-support.ts';
import { readProfile } from './read-profile.ts';

describe('whatever the text is', () => {
  const deep = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom('a', 1, null, true, '/x', 'GET', '{{uuid}}', -1.5),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fieldName(), tie('value'), { maxKeys: 6 }),
    ),
  })).value;

  test('nothing is thrown, and each error has a place in the text', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({
        unit: fc.constantFrom('a', ':', ' ', '\n', '-', '[', ']', '{', '}', '"', '&a', '*a', '|', '#', '\t', '!'),
      }),
      deep.map((value) => JSON.stringify(value)),
      fc
        .tuple(fc.nat(MINIMAL.length), fc.string())
        .map(([at, more]) => MINIMAL.slice(0, at) + more + MINIMAL.slice(at)),
    );
    fc.assert(
      fc.property(text, fc.constantFrom('p.yaml', 'p.json'), (source, file) => {
        const result = readProfile(source, { file });
        if (!('errors' in result)) return;
        expect(result.errors.length).toBeGreaterThan(0);
        const lines = source.split(/\n/).length;
        for (const { line, column } of result.errors) {
          expect(line).toBeGreaterThanOrEqual(1);
          expect(line).toBeLessThanOrEqual(lines);
          expect(column).toBeGreaterThanOrEqual(1);
        }
      }),
      { numRuns: tried(1500) },
    );
  });

  test('a profile is the same in JSON, however it is laid out', () => {
    const text = fc.string({ unit: 'grapheme' });
    const body = fc.jsonValue({ maxDepth: 4 });
    fc.assert(
      fc.property(text, body, fc.constantFrom('', '\t', '  '), (name, value, indent) => {
        const file = {
          base_url: 'https://a.example/api/v1',
          target: { name: `n${name.replaceAll('{{', '')}` },
          operations: [{ id: 'a', group: 'labels', kind: 'write', method: 'POST', path: '/a', body: plain(value) }],
        };
        const source = JSON.stringify(file, null, indent);
        const profile = profileOf(source, 'p.json');
        expect(profile.target.name).toBe(file.target.name);
        expect(JSON.parse(profile.operations[0]?.body?.text ?? '')).toEqual(
          JSON.parse(JSON.stringify(file)).operations[0].body,
        );
        expect(profileOf(source, 'p.yaml')).toEqual(profile);
      }),
      { numRuns: tried(300) },
    );
  });

  test.each([
    ['large', 'a'.repeat(1_000_001), 'the file is larger than 1 MB'],
    ['deep', '['.repeat(50_000), 'the file is nested too deeply'],
    ['full of aliases', bomb(), 'the aliases of the file expand to more than 100 copies'],
  ])('a %s one is refused', (_, source, problem) => {
    expect(readProfile(source, { file: 'p.yaml' })).toHaveProperty('errors[0].problem', problem);
  });

  test('a map that cannot be made a text, in place of a word, is told like any other', () => {
    const source = '{"operations":[{"group":{"toString":"a"}}]}';
    const problem = 'must be "service", "categories" or "labels"';
    const errors = expect.arrayContaining([expect.objectContaining({ path: 'operations[0].group', problem })]);
    expect(readProfile(source, { file: 'p.yaml' })).toEqual({ errors });
  });

  test('no more than 100 errors are given', () => {
    const source = Array.from({ length: 2000 }, (_, index) => `x${index}: 1`).join('\n');
    expect(readProfile(source, { file: 'p.yaml' })).toHaveProperty('errors.length', 100);
  });
});

describe('the published schema', () => {
  test('is a valid schema of draft 7', () => {
    expect(new Ajv({ strict: false }).validateSchema(schema)).toBe(true);
  });

  test('has a valid example, and a description of every field', () => {
    expect(readProfile(JSON.stringify(schema.examples[0]), { file: 'p.json' })).toHaveProperty('profile');
    expect(undescribed(schema, '')).toEqual([]);
  });
});

function undescribed(part: unknown, path: string): readonly string[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([name, each]) => {
    const here = `${path}/${name}`;
    if (name !== 'properties') return undescribed(each, here);
    return Object.entries(each as Record<string, { description?: string; $ref?: string }>).flatMap(([field, rule]) => [
      ...(rule.description || rule.$ref ? [] : [`${here}/${field}`]),
      ...undescribed(rule, `${here}/${field}`),
    ]);
  });
}

function fieldName() {
  return fc.constantFrom(
    'operations',
    'id',
    'path',
    'method',
    'kind',
    'group',
    'query',
    'headers',
    'body',
    'prepare',
    'cleanup',
    'capture',
    'probes',
    'not_found',
    'operation',
    'http',
    'tls',
    'waivers',
    'requirement',
    'pacing',
    'base_url',
    '__proto__',
    'constructor',
    'toString',
    '0',
    '',
  );
}

/** No variable, and no number that JSON itself does not write exactly. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value)
      .replace(/\{\{/g, '{ {')
      .replace(/\{(?=\{)/g, ''),
    (_, part: unknown) =>
      typeof part === 'number' && !Number.isSafeInteger(part) && Number.isInteger(part) ? 0 : part,
  );
}

function bomb(): string {
  const lines = ['a0: &a0 [x]'];
  for (let level = 1; level < 9; level++) {
    lines.push(`a${level}: &a${level} [${Array.from({ length: 9 }, () => `*a${level - 1}`).join(', ')}]`);
  }
  return lines.join('\n');
}
