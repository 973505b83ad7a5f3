import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { readProfile } from '../profile/read-profile.ts';
import { init } from './init.ts';
import { countMarks } from './profile-text.ts';

const DOCUMENTS = fileURLToPath(new URL('fixtures/generated', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'generated-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What init makes of a document, read as the suite reads it. */
async function proposed(name: string) {
  const file = join(folder, `${name}-${Math.random()}.yaml`);
  const { text } = await init(file, { openapi: join(DOCUMENTS, name), baseUrl: null, name: null });
  const read = readProfile(text, { file });
  if ('errors' in read) throw new Error(JSON.stringify(read.errors));
  const operations = new Map(read.profile.operations.map((operation) => [operation.id, operation]));
  return { text, operations, ...read };
}

test.each(readdirSync(DOCUMENTS))('%s: a profile without a warning, which says nothing twice', async (name) => {
  const { text, warnings, profile } = await proposed(name);
  expect(warnings).toEqual([]);
  const checks = [...text.matchAll(/# CHECK: (.*)/g)].map(([, check]) => check);
  expect(new Set(checks).size).toBe(checks.length);
  expect(countMarks(text)).toBe(text.split('\n').filter((line) => line.includes('# CHECK:')).length);
  expect(text).toMatch(/^# yaml-language-server: \$schema=\S+profile\.schema\.json$/m);
  expect(profile.baseUrl).toMatch(/\/api\/v1$/);
});

test.each([
  ['fastapi.json', ['list-categories', 'create-label', 'delete-label', 'update-service']],
  ['nestjs.json', ['categories-find-all', 'labels-remove', 'app-get-info']],
  ['springdoc.json', ['get-service', 'list-categories', 'list-labels', 'create-labels', 'delete-categories']],
  ['drf-spectacular.yaml', ['categories-list', 'labels-retrieve', 'service-retrieve']],
  ['scribe.yaml', ['get-service', 'post-labels', 'list-categories']],
  ['scramble.json', ['categories-labels-store', 'categories-index']],
  ['swag.json', ['get-categories-id', 'post-labels']],
])('%s: ids without what its generator repeats', async (name, ids) => {
  const { operations } = await proposed(name);
  for (const id of ids) expect([...operations.keys()]).toContain(id);
});

test.each([
  ['nestjs.json', 'https://api.example.com/api/v1', true],
  ['by-hand-relative.yaml', 'https://api.example.com/shops/api/v1', true],
  ['by-hand-servers.yaml', 'https://eu.charts.example.com/api/v1', false],
  ['rswag.yaml', 'https://www.example.com/api/v1', false],
  ['swag.json', 'http://localhost:8080/api/v1', false],
])('%s: from a file, the base URL is %s', async (name, baseUrl, asked) => {
  const { profile, text } = await proposed(name);
  expect(profile.baseUrl).toBe(baseUrl);
  expect(text.includes('gives no complete address: write the base URL')).toBe(asked);
});

describe('what is not for a suite to send is left out, and said so', () => {
  test.each([
    ['fastapi.json', 'GET /health', /is outside/],
    ['nestjs.json', 'GET /api/v1/health', /needs no key according to the document/],
    ['nestjs.json', 'POST /api/v1/auth/login', /needs no key according to the document/],
    ['scribe.yaml', 'POST /api/v1/login', /needs no key according to the document/],
    ['by-hand-servers.yaml', 'GET /metrics', /needs no key according to the document/],
    ['by-hand-servers.yaml', 'POST /api-keys', /manages keys or sessions/],
    ['by-hand-relative.yaml', 'DELETE /service', /removes something that no other operation creates/],
    ['by-hand-relative.yaml', 'POST /categories/{id}/archive', /needs id, which no operation creates/],
    ['huma.yaml', 'DELETE /labels/{label-id}', /^$/],
  ])('%s: %s', async (name, operation, why) => {
    const { text } = await proposed(name);
    const said = text.split('\n').find((line) => line.includes('Left out') && line.includes(operation)) ?? '';
    expect(said).toMatch(why);
  });
});

describe('what an operation needs is there', () => {
  test('a PUT on the same path prepares what reads, removes and lies below it', async () => {
    const { operations, profile } = await proposed('by-hand-relative.yaml');
    expect(operations.get('put-label')).toMatchObject({ path: '/labels/conformance', cleanup: ['delete-label'] });
    for (const id of ['get-label', 'delete-label']) {
      expect(operations.get(id)).toMatchObject({ path: '/labels/conformance', prepare: ['put-label'] });
    }
    const below = profile.operations.find(({ path }) => path === '/labels/conformance/translations/de');
    expect(below?.prepare).toEqual(['put-label']);
    expect(profile.probes.notFound.map(({ operation }) => operation)).toEqual(['get-label']);
  });

  test('a collection of the same name within another makes things too', async () => {
    const { operations } = await proposed('rswag.yaml');
    expect(operations.get('get-labels-id')).toMatchObject({
      path: '/labels/{{label_id}}',
      prepare: ['post-categories-category-id-labels'],
    });
  });

  test('an example of a parameter of the path is used, but never to remove what it names', async () => {
    const shown = { in: 'path', name: 'id', required: true, schema: { type: 'string' }, example: 'XL' };
    const item = { parameters: [shown], get: { responses: {} }, delete: { responses: {} } };
    const file = join(folder, 'shown.yaml');
    const document = join(folder, 'shown.json');
    writeFileSync(document, JSON.stringify({ openapi: '3.1.0', paths: { '/labels/{id}': item } }));
    const { text } = await init(file, { openapi: document, baseUrl: null, name: null });
    expect(text).toContain('path: /labels/XL');
    expect(text).toContain('Left out: DELETE /labels/{id}');
  });

  test.each([
    ['drf-spectacular.yaml', 'labels-create', 'categories-create', '"category":{{category_id}}'],
    ['nestjs.json', 'labels-create', 'categories-create', '"categoryId":"{{category_id}}"'],
    ['huma.yaml', 'post-labels', 'post-categories', '"category_id":{{category_id}}'],
    ['by-hand-servers.yaml', 'create-label', 'create-category', '"category_code":"{{category_id}}"'],
  ])('%s: what the body of %s refers to is made by %s', async (name, id, maker, part) => {
    const { operations } = await proposed(name);
    expect(operations.get(id)?.prepare).toEqual([maker]);
    expect(operations.get(id)?.body?.text).toContain(part);
  });
});

test('objects and arrays in the query are written as their style has them', async () => {
  const { profile, operations } = await proposed('by-hand-relative.yaml');
  const labels = profile.operations.find(({ path }) => path === '/labels');
  expect(labels?.query).toEqual({ 'filter[colour]': 'red', sort: 'name' });
  expect((await proposed('springdoc.json')).operations.get('list-labels')?.query).toEqual({ ids: '1' });
  const paged = (await proposed('springdoc.json')).profile.probes.invalidParameter;
  expect(paged.find(({ operation }) => operation === 'list-categories')?.query).toEqual({ page: 'not-a-number' });
  expect(operations.get('get-categories')?.headers).toEqual({ 'X-Shop': 'berlin' });
});

test('a form with a file is sent as one', async () => {
  const { operations } = await proposed('swag.json');
  const body = operations.get('post-labels')?.body;
  const boundary = /boundary=(\S+)$/.exec(body?.contentType ?? '')?.[1];
  expect(body?.text.split(`--${boundary}`)).toEqual([
    '',
    '\r\nContent-Disposition: form-data; name="text"\r\n\r\nexample\r\n',
    '\r\nContent-Disposition: form-data; name="picture"; filename="example.txt"\r\nContent-Type: text/plain\r\n\r\nexample\r\n',
    '--\r\n',
  ]);
});

test('what documents nothing but 5xx provokes an internal failure, and is no operation', async () => {
  const { profile, operations } = await proposed('by-hand-relative.yaml');
  expect(operations.has('provoke-failure')).toBe(false);
  expect(profile.probes.internalFailure).toMatchObject([
    { name: 'provoke-failure', method: 'GET', path: '/service/failure', operation: 'service' },
  ]);
});

test('what is said of several parts is said once, with their names', async () => {
  const { text } = await proposed('nestjs.json');
  expect(text.match(/The document promises 201/g)).toHaveLength(1);
  expect(text).toMatch(/promises 201, .* \(categories-create, labels-create\)$/m);
});
