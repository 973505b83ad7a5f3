import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readProfile } from '../profile/read-profile.ts';
import { init } from './init.ts';

const NOTHING = { openapi: null, baseUrl: null, name: null };
const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

let folder = '';
let file = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'init-'));
  file = join(folder, 'size-chart.profile.yaml');
});
afterEach(() => rmSync(folder, { recursive: true }));

async function profileFrom(name: string, baseUrl: string | null = null) {
  const { proposal } = await init(file, { ...NOTHING, openapi: fixture(name), baseUrl });
  const text = readFileSync(file, 'utf8');
  const read = readProfile(text, { file });
  if ('errors' in read) throw new Error(JSON.stringify(read.errors));
  const operations = new Map(read.profile.operations.map((each) => [each.id, each]));
  return { text, proposal, profile: read.profile, operations, warnings: read.warnings };
}

describe('without a document', () => {
  test('a base URL that ends in what looks like a key is refused, and not repeated', async () => {
    const baseUrl = 'https://host.test/api/v1/sk_live_4eC39HqLyjWDarjtT1zdp7dc';
    await expect(init(file, { ...NOTHING, baseUrl })).rejects.toThrow(
      /^The base URL ends in what looks like an API key\./,
    );
    const tenant = 'https://host.test/f47ac10b-58cc-4372-a567-0e02b2c3d479/api/v1';
    await expect(init(file, { ...NOTHING, baseUrl: tenant })).resolves.toMatchObject({ profile: file });
  });

  test('a profile to start from is written, with .env.example beside it', async () => {
    await init(file, { ...NOTHING, baseUrl: 'http://127.0.0.1:8080/api/v1', name: 'Mine' });
    const read = readProfile(readFileSync(file, 'utf8'), { file });
    expect(read).toMatchObject({
      profile: { baseUrl: 'http://127.0.0.1:8080/api/v1', target: { name: 'Mine' } },
      warnings: [],
    });
    expect(readFileSync(join(folder, '.env.example'), 'utf8')).toMatch(/^SIZE_CHART_KEYS=$/m);
  });

  test('a base URL of no use is refused before anything is written', async () => {
    await expect(init(file, { ...NOTHING, baseUrl: 'api.example.com' })).rejects.toThrow(
      'The base URL is not an absolute URL',
    );
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('nothing is overwritten', () => {
  test('a profile that is there is an error that names it', async () => {
    writeFileSync(file, 'mine');
    await expect(init(file, NOTHING)).rejects.toThrow(`${file} already exists, and init never overwrites`);
    expect(readdirSync(folder)).toEqual(['size-chart.profile.yaml']);
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  test('an .env.example of the user stays, and what it lacks is told', async () => {
    const example = join(folder, '.env.example');
    writeFileSync(example, 'OTHER=1\nSIZE_CHART_KEYS=\n');
    const { envExampleLacks } = await init(file, NOTHING);
    expect(envExampleLacks).toEqual(['SIZE_CHART_RESTRICTED_KEY', 'SIZE_CHART_REVOKED_KEY']);
    expect(readFileSync(example, 'utf8')).toBe('OTHER=1\nSIZE_CHART_KEYS=\n');
  });

  test('a JSON profile could hold no comments', async () => {
    await expect(init(join(folder, 'a.json'), NOTHING)).rejects.toThrow('Give a .yaml file');
  });

  test('a folder that is not there is named', async () => {
    await expect(init(join(folder, 'no', 'a.yaml'), NOTHING)).rejects.toThrow('cannot be written (ENOENT)');
  });
});

describe('from a YAML document with references', () => {
  test('operations are proposed by group and kind, with what must be made before them', async () => {
    const { profile, operations, warnings } = await profileFrom('size-chart.openapi.yaml');
    expect(warnings).toEqual([]);
    expect(profile.baseUrl).toBe('https://eu.sizes.internal/api/v1');
    expect(profile.target).toEqual({ name: 'Size Chart Service', version: '2.3' });
    expect(profile.operations.map(({ id, group, kind }) => `${id} ${group} ${kind}`)).toEqual([
      'get-service service read',
      'update-service service write',
      'list-categories categories read',
      'create-category categories write',
      'search-categories categories read',
      'get-category categories read',
      'update-category categories write',
      'delete-category categories write',
      'list-labels labels read',
      'create-label labels write',
      'get-label labels read',
      'delete-label labels write',
    ]);
    expect(operations.get('create-label')).toMatchObject({
      body: { text: '{"name":"Chest {{uuid}}"}' },
      capture: [{ name: 'label_id', from: { pointer: '/id' } }],
      cleanup: ['delete-label'],
    });
    expect(operations.get('get-label')).toMatchObject({ path: '/labels/{{label_id}}', prepare: ['create-label'] });
  });

  test('probes are proposed for 400, 404 and 403, each guess marked', async () => {
    const { profile, text } = await profileFrom('size-chart.openapi.yaml');
    const { invalidParameter, notFound, forbidden } = profile.probes;
    expect(invalidParameter.find(({ operation }) => operation === 'list-labels')?.query).toEqual({
      page: 'not-a-number',
    });
    expect(invalidParameter.find(({ operation }) => operation === 'create-label')?.body?.text).toBe(
      '{"name":{"wrong":true}}',
    );
    expect(notFound.map(({ path }) => path)).toEqual([
      '/categories/{{uuid}}',
      '/categories/{{uuid}}',
      '/labels/{{uuid}}',
    ]);
    expect(forbidden.map(({ operation }) => operation)).toEqual(['update-service', 'create-category', 'create-label']);
    expect(text).toContain(
      '# CHECK: A POST that seems to look something up: does it count as a read?\n  - id: search-categories',
    );
    expect(text).toContain(
      '# CHECK: Is this the right server? The document also has https://staging.sizes.internal/api/v1.',
    );
  });
});

describe('from a JSON document with the prefix in its paths', () => {
  test('the prefix moves to the base URL, and what lies outside is left out', async () => {
    const { profile, text } = await profileFrom('prefixed-paths.openapi.json');
    expect(profile.baseUrl).toBe('https://shop.example.com/api/v1');
    expect(profile.operations.map(({ path }) => path)).toEqual([
      '/info',
      '/categories',
      '/categories',
      '/categories/{{category_id}}',
      '/labels',
      '/labels/{{label_id}}',
      '/labels/{{label_id}}',
    ]);
    expect(text).toContain('CHECK: Left out: GET /health, which is outside /api/v1.');
  });

  test('a base URL of the user comes first', async () => {
    const { profile } = await profileFrom('prefixed-paths.openapi.json', 'http://127.0.0.1:1/api/v1/');
    expect(profile.baseUrl).toBe('http://127.0.0.1:1/api/v1');
    expect(profile.operations[0]?.path).toBe('/info');
  });

  test('what a body refers to is made first, and stays a number', async () => {
    const { operations, profile } = await profileFrom('prefixed-paths.openapi.json');
    expect(operations.get('post-labels')).toMatchObject({
      prepare: ['post-categories'],
      body: { contentType: 'application/json', text: '{"text":"example","category_id":{{category_id}}}' },
      capture: [{ name: 'label_id', from: { header: 'Location', pattern: '([^/?]+)/?$' } }],
    });
    expect(profile.probes.invalidParameter.find(({ operation }) => operation === 'post-labels')?.body?.text).toBe(
      '{"text":{"wrong":true},"category_id":{{category_id}}}',
    );
  });

  test('parameters, content types and what cannot be written are seen to', async () => {
    const { operations, text } = await profileFrom('prefixed-paths.openapi.json');
    expect(operations.get('get-categories')?.query).toEqual({ shop: 'eu' });
    expect(operations.get('patch-labels-id')?.body?.contentType).toBe('application/merge-patch+json');
    expect(text).toContain(
      'Left out: PUT /api/v1/labels/{id}/image, which needs a body of type multipart/form-data, which init cannot write.',
    );
  });

  test('where the document is at odds with the specification, that is said', async () => {
    const { text } = await profileFrom('prefixed-paths.openapi.json');
    for (const check of [
      'The document promises 201, but success must be 200 (clause 7, STATUS-200).',
      'The document lists 422, which clause 7 does not allow (STATUS-SET).',
      'The document describes no key in the header X-API-Key, but clause 5.2 requires it (AUTH-2).',
      'The document describes no bearer key, but clause 5.2 requires Authorization: Bearer (AUTH-3).',
      'slug is the same in each request: does the deployment accept it twice?',
    ]) {
      expect(text).toContain(`# CHECK: ${check}`);
    }
  });
});

describe('from a document over several files', () => {
  test('things within things are made from the outside in', async () => {
    const { operations, text } = await profileFrom('split/openapi.yaml');
    expect(operations.get('add-category')?.body?.text).toBe('{"title":"{{timestamp}}-{{counter}}"}');
    expect(operations.get('read-label')).toMatchObject({
      path: '/categories/{{category_id}}/labels/{{label_id}}',
      prepare: ['add-label'],
    });
    expect(operations.get('add-label')).toMatchObject({
      prepare: ['add-category'],
      body: { text: 'text=example&colour=red', contentType: 'application/x-www-form-urlencoded' },
      capture: [{ name: 'label_id', from: { pointer: '/data/label_id' } }],
      cleanup: ['drop-label'],
    });
    expect(text).toContain(
      'CHECK: Left out: GET /categories/{categoryId}/owners/{ownerId}, which needs ownerId, which no operation creates and no example shows.',
    );
    expect(text).toContain('CHECK: The document gives no complete address');
  });
});
