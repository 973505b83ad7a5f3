import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { environmentOf, readVariables } from './environment.ts';
import { loadProfile } from './load-profile.ts';
import { formatProfileError } from './read-profile.ts';

const folder = mkdtempSync(join(tmpdir(), 'profile-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const SOURCE = `base_url: https://a.example/api/v1
operations: [{ id: a, group: labels, kind: read, method: GET, path: /a }]
`;

describe('a profile from a file', () => {
  test('has its TLS files resolved against its folder', () => {
    const authority = file('ca.pem', readFileSync(new URL('../drive/http/test-certificates/ca.pem', import.meta.url)));
    const result = loadProfile(file('tls.yaml', `${SOURCE}http: { tls: { ca_file: ca.pem } }`));
    expect(result).toHaveProperty('profile.http.tls.caFile', authority);
  });

  test.each([
    [
      'that is missing',
      () => join(folder, 'none.yaml'),
      ': there is no such file. Give its path with --profile, or make one with the command init.',
    ],
    ['that is a folder', () => folder, ': is not a file. Give the path of a YAML or JSON file with --profile.'],
    [
      'that is not text',
      () => file('bin.yaml', Buffer.from([0x61, 0xff])),
      ': the file is not UTF-8 text. Save it as UTF-8.',
    ],
    [
      'that is large',
      () => file('large.yaml', 'a'.repeat(1_000_001)),
      ': the file is larger than 1 MB. List fewer operations.',
    ],
    [
      'with a TLS file that is missing',
      () => file('lost.yaml', `${SOURCE}http: { tls: { ca_file: lost.pem } }`),
      `: http.tls.ca_file cannot be read (${join(folder, 'lost.pem')}). Write the path relative to the profile.`,
    ],
  ])('%s is an error', (_, make, message) => {
    const path = make();
    const result = loadProfile(path);
    expect('errors' in result && result.errors.map(formatProfileError)).toEqual([`${path}${message}`]);
  });
});

describe('the environment', () => {
  test('comes before the .env file, and is not changed', () => {
    const path = file('.env', 'SIZE_CHART_KEYS=from-file\nSIZE_CHART_BASE_URL="http://127.0.0.1:1/api/v1"\n');
    const before = { ...process.env };
    expect(environmentOf(readVariables({ SIZE_CHART_KEYS: 'from-process' }, path))).toEqual({
      environment: {
        keys: { full: ['from-process'], restricted: null, revoked: null },
        baseUrl: 'http://127.0.0.1:1/api/v1',
      },
    });
    expect(process.env).toEqual(before);
  });

  test('tells a variable that was misspelt, where the one that was meant is not set', () => {
    const path = file('misspelt.env', 'SIZE_CHART_KEY=from-the-panel\nSIZE_CHART_RESTICTED_KEY=another-one\n');
    expect(environmentOf(readVariables({}, path))).toEqual({
      errors: [
        `SIZE_CHART_KEY (in ${path}) is not a variable of the suite. Did you mean SIZE_CHART_KEYS?`,
        `SIZE_CHART_RESTICTED_KEY (in ${path}) is not a variable of the suite. Did you mean SIZE_CHART_RESTRICTED_KEY?`,
      ],
    });
    expect(
      environmentOf(readVariables({ SIZE_CHART_KEYS: 'from-process', SIZE_CHART_RESTRICTED_KEY: 'restricted' }, path)),
    ).not.toHaveProperty('errors');
  });

  test('is named where a key in it is wrong', () => {
    const path = file('wrong.env', 'SIZE_CHART_KEYS=short\n');
    expect(environmentOf(readVariables({}, path))).toEqual({
      errors: [expect.stringContaining(`entry 1 of SIZE_CHART_KEYS (in ${path}) has fewer`)],
    });
    expect(environmentOf(readVariables({ SIZE_CHART_KEYS: 'brief' }, path))).toEqual({
      errors: [expect.stringContaining('entry 1 of SIZE_CHART_KEYS (in the environment) has fewer')],
    });
  });

  test('needs a .env file only where one was asked for', () => {
    const path = join(folder, 'no.env');
    expect(environmentOf(readVariables({}, null))).toHaveProperty('environment.baseUrl', null);
    expect(environmentOf(readVariables({}, path))).toEqual({
      errors: [`${path}: there is no such file. Check the path given with --keys-file.`],
    });
  });
});
