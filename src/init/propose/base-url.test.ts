import { describe, expect, test } from 'vitest';
import { apiOf } from '../openapi/operations.ts';
import { proposeBaseUrl } from './base-url.ts';

describe('the base URL', () => {
  const paths = ['/labels', '/labels/{id}'];
  const prefixed = ['/api/v1/labels', '/api/v1/categories', '/health'];

  test.each([
    ['the server', null, ['https://a.internal/api/v1/'], paths, null, 'https://a.internal/api/v1', '', 0],
    ['not below the prefix', null, ['https://a.internal/v1'], paths, null, 'https://a.internal/v1', '', 1],
    [
      'the prefix of the paths',
      null,
      ['https://a.internal'],
      prefixed,
      null,
      'https://a.internal/api/v1',
      '/api/v1',
      0,
    ],
    [
      'a longer prefix',
      null,
      ['http://a.internal'],
      ['/x/api/v1/labels'],
      null,
      'http://a.internal/x/api/v1',
      '/x/api/v1',
      0,
    ],
    [
      'relative, from a URL',
      null,
      ['/api/v1'],
      paths,
      'https://b.internal/docs/a.yaml',
      'https://b.internal/api/v1',
      '',
      0,
    ],
    ['relative, from a file', null, ['/api/v1'], paths, null, 'https://api.example.com/api/v1', '', 1],
    [
      'with an empty query',
      null,
      ['https://a.internal/?'],
      prefixed,
      null,
      'https://api.example.com/api/v1',
      '/api/v1',
      1,
    ],
    ['a placeholder', null, ['https://www.example.com/api/v1'], paths, null, 'https://www.example.com/api/v1', '', 1],
    [
      'a placeholder before a real one',
      null,
      ['https://www.example.com/api/v1', 'https://a.internal/api/v1'],
      paths,
      null,
      'https://a.internal/api/v1',
      '',
      0,
    ],
    ['without a scheme, from a file', null, ['//a.internal/api/v1'], paths, null, 'https://a.internal/api/v1', '', 1],
    [
      'without a scheme, from a URL',
      null,
      ['//a.internal/api/v1'],
      paths,
      'http://b.internal/swagger.json',
      'http://a.internal/api/v1',
      '',
      0,
    ],
    ['with an empty fragment', null, ['/api/v1#'], paths, null, 'https://api.example.com/api/v1', '', 1],
    ['none', null, [], prefixed, null, 'https://api.example.com/api/v1', '/api/v1', 1],
    [
      'with credentials',
      null,
      ['https://me:pw@a.internal/api/v1'],
      paths,
      null,
      'https://api.example.com/api/v1',
      '',
      1,
    ],
    [
      'given',
      'http://c.internal/api/v1/',
      ['https://a.internal/api/v1'],
      prefixed,
      null,
      'http://c.internal/api/v1',
      '/api/v1',
      0,
    ],
    ['given, without the prefix', 'http://c.internal', [], prefixed, null, 'http://c.internal', '', 0],
    [
      'a real one beside a relative one, from a file',
      null,
      ['/prod/api/v1', 'http://localhost:3000/api/v1'],
      paths,
      null,
      'http://localhost:3000/api/v1',
      '',
      1,
    ],
    [
      'the first of several',
      null,
      ['https://a.internal/api/v1', 'https://b.internal/api/v1'],
      paths,
      null,
      'https://a.internal/api/v1',
      '',
      1,
    ],
  ])('%s', (_, given, servers, all, documentUrl, url, strip, checks) => {
    const base = proposeBaseUrl(given, servers, all, documentUrl);
    expect(base).toMatchObject({ url: { value: url }, strip });
    expect(base.url.checks).toHaveLength(checks);
  });
});

describe('the variables of a server in a file', () => {
  const filled = { stage: { default: 'prod' }, version: { default: 1 }, none: { default: '' }, one: { enum: ['eu'] } };

  test.each([
    ['/{stage}/api/v1', 'https://api.example.com/prod/api/v1'],
    ['{stage}/api/v1', 'https://api.example.com/prod/api/v1'],
    ['/api/v{version}', 'https://api.example.com/api/v1'],
    ['/{none}/api/v1', 'https://api.example.com/api/v1'],
    ['/{one}/api/v1', 'https://api.example.com/eu/api/v1'],
    ['/{open}/api/v1', 'https://api.example.com/open/api/v1'],
    ['https://{open}/{stage}/api/v1', 'https://api.example.com/prod/api/v1'],
    ['https://a.internal/{open}/api/v1', 'https://a.internal/open/api/v1'],
  ])('%s keeps its path, and the rest is asked for', (url, expected) => {
    const { servers } = apiOf({ servers: [{ url, variables: filled }] });
    const { url: proposed, known } = proposeBaseUrl(null, servers, ['/labels'], null);
    expect({ ...proposed, known }).toEqual({
      value: expected,
      checks: ['The document gives no complete address: write the base URL of the deployment.'],
      known: false,
    });
  });
});
