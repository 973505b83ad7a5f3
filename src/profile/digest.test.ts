import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson, profileDigest, publicProfile } from './digest.ts';
import { readProfile } from './read-profile.ts';

const SOURCE = `base_url: https://a.example/api/v1
operations:
  - { id: a, group: labels, kind: write, method: POST, path: /a, headers: { X-Tenant: s3cret-1 }, body: {} }
probes: { not_found: [{ operation: a, path: /b, headers: { X-Other: s3cret-2 } }] }
http: { headers: { Cookie: s3cret-3 }, proxy: "http://me:s3cret-4@proxy.example:3128", tls: { ca_file: /home/me/ca.pem } }
`;

function read(source: string) {
  const result = readProfile(source, { file: 'p.yaml' });
  if ('errors' in result) throw new Error(JSON.stringify(result.errors));
  return result.profile;
}

describe('a public profile', () => {
  const shown = publicProfile(read(SOURCE));

  test('hides header values, credentials and folders, and nothing else', () => {
    expect(JSON.stringify(shown)).not.toContain('s3cret');
    expect(shown.operations[0]?.headers).toEqual({ 'X-Tenant': '…' });
    expect(shown.http).toMatchObject({
      headers: { Cookie: '…' },
      proxy: 'http://…@proxy.example:3128',
      tls: { caFile: 'ca.pem' },
    });
    expect(shown.operations[0]?.body).toEqual({ contentType: 'application/json', text: '{}' });
  });

  test('is its own public form', () => expect(publicProfile(shown)).toEqual(shown));

  test('has the digest of the profile, so that who holds a trace can check it', () => {
    expect(profileDigest(shown)).toBe(profileDigest(read(SOURCE)));
    expect(profileDigest(read(SOURCE))).toMatch(/^[0-9a-f]{64}$/);
  });
});

test('the digest changes with what is sent, not with what is secret', () => {
  const digest = (from: string, to: string) => profileDigest(read(SOURCE.replace(from, to)));
  expect(digest('s3cret-3', 'other')).toBe(profileDigest(read(SOURCE)));
  expect(digest('path: /a', 'path: /c')).not.toBe(profileDigest(read(SOURCE)));
});

test('canonical JSON is the same for each order of fields, and says the same', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const reversed = Object.fromEntries(Object.entries(value).reverse());
      expect(canonicalJson(reversed)).toBe(canonicalJson(value));
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});
