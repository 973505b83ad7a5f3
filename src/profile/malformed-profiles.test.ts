import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { formatProfileError, readProfile } from './read-profile.ts';

interface Case {
  readonly what: string;
  readonly source?: string;
  readonly with?: string;
  readonly messages: readonly string[];
}

const CASES = parse(readFileSync(new URL('malformed-profiles.yaml', import.meta.url), 'utf8')) as Record<
  'yaml' | 'json',
  readonly Case[]
>;

/** A profile without fault, to which one fault is added. */
const and = (more: string): string => `base_url: https://a.example/api/v1
operations:
  - { id: get-service, group: service, kind: read, method: GET, path: /service }
  - { id: get-category, group: categories, kind: read, method: GET, path: /categories/1 }
  - { id: create-label, group: labels, kind: write, method: POST, path: /labels, capture: { label_id: /id } }
${more}`;

describe.each(['yaml', 'json'] as const)('a malformed profile in %s', (format) => {
  const file = `p.${format}`;

  test.each(CASES[format])('names $what', ({ source, with: more = '', messages }) => {
    const result = readProfile(source ?? and(more), { file });
    expect('errors' in result && result.errors.map(formatProfileError)).toEqual(
      messages.map((message) => `${file}:${message}`),
    );
  });

  test.each(CASES[format])('shows no secret for $what', ({ source, with: more = '' }) => {
    expect(JSON.stringify(readProfile(source ?? and(more), { file }))).not.toContain('s3cret');
  });
});

test('the profile to which faults are added has none', () => {
  expect(readProfile(and(''), { file: 'p.yaml' })).toHaveProperty('profile');
});
