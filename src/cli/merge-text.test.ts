import { expect, test } from 'vitest';
import { mergeText } from './merge-text.ts';

test('names the profile, and the base URL if the run had another', () => {
  expect(mergeText('*.raw', { profileFile: 'acme.yaml', baseUrl: null })).toBe('merge *.raw --profile acme.yaml');
  const source = { profileFile: 'acme.yaml', baseUrl: 'http://127.0.0.1:8080/api/v1' };
  expect(mergeText('*.raw', source)).toBe('merge *.raw --profile acme.yaml --base-url http://127.0.0.1:8080/api/v1');
});

test('a shell reads a profile with spaces in its name as one word', () => {
  expect(mergeText('a.raw', { profileFile: "it's acme.yaml", baseUrl: null })).toBe(
    "merge a.raw --profile 'it'\\''s acme.yaml'",
  );
});
