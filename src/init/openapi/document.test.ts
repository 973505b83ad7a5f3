import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { InitError } from '../init-error.ts';
import { readOpenApi } from './document.ts';
import { readSource } from './source.ts';

const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
afterAll(() => rmSync(folder, { recursive: true }));

const read = (text: string, place = join(folder, 'openapi.yaml'), isUrl = false) => readOpenApi({ text, place, isUrl });

describe('what is no interface description is refused with the reason', () => {
  test.each([
    ['an empty text', '', 'is not an OpenAPI document'],
    ['a word', 'hello', 'is not an OpenAPI document'],
    ['a list', '[1, 2]', 'is not an OpenAPI document'],
    ['another version', 'openapi: 2.9.0', 'is not an OpenAPI document'],
    ['Swagger 1', 'swagger: "1.2"', 'is not an OpenAPI document'],
    ['broken YAML', 'openapi: 3.0.0\n\tpaths: {}', 'is neither YAML nor JSON'],
    ['broken JSON', '{"openapi": "3.0.0",, }', 'is neither YAML nor JSON'],
    ['depth without end', '['.repeat(20_000), 'is neither YAML nor JSON'],
    [
      'great depth',
      `{"openapi":"3.0.0","x":${'['.repeat(5000)}${']'.repeat(5000)}}`,
      'is nested more than 200 levels deep',
    ],
    ['multiplying aliases', aliasBomb(), 'the document cannot be parsed'],
  ])('%s', async (_, text, message) => {
    await expect(read(text)).rejects.toThrow(message);
    await expect(read(text)).rejects.toBeInstanceOf(InitError);
  });
});

test('any text either gives a document or says why not', async () => {
  const line = fc.oneof(
    fc.string(),
    fc.constantFrom(
      'openapi: 3.1.0',
      'paths:',
      '  /a: &a',
      '    $ref: "#/paths/~1a"',
      '  <<: *a',
      '{',
      '"',
      '---',
      '? a',
      '- - -',
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 12 }), async (lines) => {
      const result = await read(lines.join('\n')).catch((error: unknown) => error);
      if (!(result instanceof InitError)) expect(result).toHaveProperty('root');
    }),
    { numRuns: 500 },
  );
});

describe('references to other documents', () => {
  const outward = (reference: string) => `openapi: 3.0.0\npaths: { /a: { $ref: "${reference}" } }\n`;
  const write = (name: string, text: string): string => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  };

  test('are joined from files below the folder', async () => {
    write('path.yaml', 'get: { operationId: joined }\n');
    const { root, unread } = await readFrom(write('whole.yaml', outward('./path.yaml')));
    expect(unread).toEqual([]);
    expect(JSON.stringify(root)).toContain('joined');
  });

  test.each([['../outside.yaml'], ['/etc/hostname'], ['http://127.0.0.1:9/openapi.yaml'], ['./missing.yaml']])(
    '%s is left open, and said so',
    async (reference) => {
      const { unread } = await readFrom(write('open.yaml', outward(reference)));
      expect(unread).toEqual([expect.stringContaining(`refers to other documents (${reference})`)]);
    },
  );

  test('are not followed from a URL', async () => {
    const { unread } = await read(outward('./path.yaml'), 'https://a.example/openapi.yaml', true);
    expect(unread).toEqual([expect.stringContaining('bundle the document into one file')]);
  });
});

async function readFrom(file: string) {
  return readOpenApi(await readSource(file));
}

/** Nine levels of nine aliases each: 387 million copies. */
function aliasBomb(): string {
  const levels = Array.from({ length: 9 }, (_, index) => {
    const inner = Array.from({ length: 9 }, () => (index === 0 ? 'lol' : `*l${index - 1}`)).join(', ');
    return `l${index}: &l${index} [${inner}]`;
  });
  return ['openapi: 3.0.0', ...levels].join('\n');
}

test.each([
  [{ schemes: ['http', 'https'] }, 'http://charts.internal/api/v1'],
  [{}, '//charts.internal/api/v1'],
])('the servers of Swagger 2.0 with %j: %s', async (schemes, url) => {
  const document = { swagger: '2.0', host: 'charts.internal', basePath: '/api/v1', ...schemes };
  expect((await read(JSON.stringify(document))).root.servers).toEqual([{ url }]);
});
