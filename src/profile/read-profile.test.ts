import { describe, expect, test } from 'vitest';
import { MINIMAL, profileOf } from './profile.test-support.ts';
import { formatProfileError, readProfile } from './read-profile.ts';

describe('a valid profile', () => {
  test('needs three lines, and has a default for everything else', () => {
    expect(profileOf(MINIMAL)).toEqual({
      version: 1,
      target: { name: 'api.example.com', version: null },
      baseUrl: 'https://api.example.com/api/v1',
      operations: [
        {
          id: 'get-service',
          group: 'service',
          kind: 'read',
          method: 'GET',
          path: '/service',
          query: {},
          headers: {},
          body: null,
          prepare: [],
          cleanup: [],
          capture: [],
        },
      ],
      probes: { invalidParameter: [], notFound: [], forbidden: [], internalFailure: [] },
      http: {
        headers: {},
        timeoutMs: { connect: 5000, response: 15_000 },
        tls: { caFile: null, certFile: null, keyFile: null, insecure: false },
        proxy: null,
      },
      pacing: { maxRate: null, maxRequests: null },
      waivers: [],
    });
  });

  test('may have a base URL that does not end in /api/v1: that is for VERSION-1 to judge', () => {
    expect(profileOf(MINIMAL.replace('/api/v1/', '')).baseUrl).toBe('https://api.example.com');
  });

  test.each([
    ['in the profile', MINIMAL.replace('/api/v1', '/api/v2'), {}, /^p\.yaml:1:\d+: base_url does not end/],
    [
      'from outside',
      MINIMAL,
      { baseUrl: 'https://api.example.com/api/v2' },
      /^--base-url or SIZE_CHART_BASE_URL: base URL does not end/,
    ],
  ])('warns of a base URL of another version %s', (_, source, overrides, shown) => {
    const result = readProfile(source, { file: 'p.yaml', ...overrides });
    expect('warnings' in result && result.warnings.map(formatProfileError)).toContainEqual(
      expect.stringMatching(new RegExp(`${shown.source} in /api/v1 \\(clause 9\\.1\\), so VERSION-1 will fail\\.`)),
    );
  });

  test.each(['', '/', '//'])('does not warn where the prefix is followed by "%s"', (end) => {
    const result = readProfile(MINIMAL.replace('/api/v1', `/api/v1${end}`), { file: 'p.yaml' });
    expect('warnings' in result && result.warnings.map(formatProfileError).join()).not.toContain('VERSION-1');
  });

  test('warns of what will not be tested', () => {
    const result = readProfile(`${MINIMAL}pacing: { max_requests: 50 }\nhttp: { tls: { insecure: true } }`, {
      file: 'p.yaml',
    });
    expect('warnings' in result && result.warnings.map(formatProfileError)).toEqual([
      'p.yaml:2:1: operations has no write operation, no operation of the group categories, no operation of the group labels: requirements that need one will be "not tested". A certificate needs them: add them.',
      'p.yaml:4:25: pacing.max_requests is less than the 132 requests that the limits alone need. Raise it, or the limits cannot be judged.',
      'p.yaml:5:26: http.tls.insecure turns off the check of the server’s certificate. Use ca_file instead.',
    ]);
  });

  test.each([
    ['a JSON value', '{ name: a, size: 7 }', { contentType: 'application/json', text: '{"name":"a","size":7}' }],
    ['text', '"a=b"', { contentType: 'application/json', text: '"a=b"' }],
    ['text of a type', '{ text: a=b, content_type: text/plain }', { contentType: 'text/plain', text: 'a=b' }],
    ['an object with a field text alone', '{ text: a }', { contentType: 'application/json', text: '{"text":"a"}' }],
    ['null', 'null', { contentType: 'application/json', text: 'null' }],
  ])('sends a body of %s', (_, body, expected) => {
    const source = `${MINIMAL}  - { id: x, group: labels, kind: write, method: POST, path: /x, body: ${body} }`;
    expect(profileOf(source).operations[1]?.body).toEqual(expected);
  });

  test.each([
    ['/labels/tall', '', 1],
    ['/labels/tall', ', prepare: [put]', 0],
    ['"/labels/{{uuid}}"', '', 0],
  ])('a deletion of %s%s gets %i warnings of succeeding once only', (path, prepare, count) => {
    const source = `operations:
  - { id: put, group: labels, kind: write, method: PUT, path: /labels/tall }
  - { id: drop, group: labels, kind: write, method: DELETE, path: ${path}${prepare} }
`;
    const result = readProfile(source, { file: 'p.yaml', baseUrl: 'https://x/api/v1' });
    const warnings = 'warnings' in result ? result.warnings.map(formatProfileError) : [];
    expect(warnings.filter((each) => each.includes('succeed only once'))).toHaveLength(count);
  });

  test('takes the content type from the headers where they name one', () => {
    const source = `${MINIMAL}  - { id: x, group: labels, kind: write, method: POST, path: /x, body: {}, headers: { content-TYPE: application/vnd.api+json } }`;
    expect(profileOf(source).operations[1]).toMatchObject({
      headers: {},
      body: { contentType: 'application/vnd.api+json', text: '{}' },
    });
  });

  test('lays a probe over its operation, null leaving a part out', () => {
    const source = `base_url: https://a.example/api/v1
operations:
  - { id: list, group: labels, kind: read, method: GET, path: /labels, query: { page: 1, sort: name }, headers: { Accept: a, X-B: b } }
probes:
  invalid_parameter: [{ operation: list, query: { page: -1, sort: null }, headers: { accept: c, X-B: null } }]
`;
    expect(profileOf(source).probes.invalidParameter).toEqual([
      {
        name: 'invalid-parameter-1',
        operation: 'list',
        method: 'GET',
        path: '/labels',
        query: { page: '-1' },
        headers: { accept: 'c' },
        body: null,
      },
    ]);
  });
});

describe('the base URL from outside', () => {
  test('comes before that of the file', () => {
    const result = readProfile(MINIMAL, { file: 'p.yaml', baseUrl: 'http://127.0.0.1:8080/api/v1' });
    expect(result).toHaveProperty('profile.baseUrl', 'http://127.0.0.1:8080/api/v1');
  });

  test('is checked as well', () => {
    const result = readProfile(MINIMAL, { file: 'p.yaml', baseUrl: 'localhost:80' });
    expect('errors' in result && result.errors.map(formatProfileError)).toEqual([
      '--base-url or SIZE_CHART_BASE_URL: base URL is not an http or https URL. Write a URL such as https://api.example.com/api/v1.',
    ]);
  });
});

describe('a profile that holds one of the keys', () => {
  const keys = { full: ['k-123456789', 'labels-key'], restricted: null, revoked: null };
  const HOLDS_KEY =
    'contains an API key, or a part of one. Remove it: keys come from the environment or .env only. If the key is only by chance a word of the profile, use another key.';
  const errorsOf = (source: string) => {
    const result = readProfile(source, { file: 'p.yaml', keys });
    return 'errors' in result ? result.errors.map(formatProfileError) : [];
  };

  test('is refused without showing it', () => {
    expect(errorsOf(`${MINIMAL}target: { name: "for k-123456789" }`)).toEqual([
      `p.yaml:4:17: target.name ${HOLDS_KEY}`,
    ]);
  });

  test('shows it in no other error', () => {
    expect(errorsOf(`${MINIMAL}k-123456789: 1\nprobes: { not_found: [{ operation: k-123456789, path: /x }] }`)).toEqual(
      [
        'p.yaml:4:1: key-1 is not a known field. Fields allowed here: version, target, base_url, operations, probes, http, pacing, waivers.',
        `p.yaml:4:1: key-1 ${HOLDS_KEY}`,
        'p.yaml:5:36: probes.not_found[0].operation is not the id of an operation ("key-1"). Write the id of an operation of this profile.',
        `p.yaml:5:36: probes.not_found[0].operation ${HOLDS_KEY}`,
      ],
    );
  });

  test('is refused where the key is a word of it: in reports that word would be replaced', () => {
    expect(errorsOf(MINIMAL.replace('path: /service', 'path: /labels-keys'))).toHaveLength(1);
    expect(errorsOf(MINIMAL.replace('path: /service', 'path: /labels'))).toEqual([]);
  });
});

test('what is wrong with the text is told once for each place', () => {
  const result = readProfile('{"version":1,"operations":[{]}', { file: 'p.json' });
  const told = 'errors' in result ? result.errors.map(formatProfileError) : [];
  expect(told[0]).toContain('closing bracket');
  expect(new Set(told).size).toBe(told.length);
});
