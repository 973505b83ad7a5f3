import { expect, test } from 'vitest';
import { isPlaceholder } from './placeholder.ts';

test.each([
  ['https://api.example.com/api/v1', true],
  ['https://www.Example.org:8443/api/v1', true],
  ['https://example.net', true],
  ['http://charts.example/api/v1', true],
  ['http://charts.test', false],
  ['http://charts.invalid./', true],
  ['http://localhost:8080/api/v1', false],
  ['https://api.acme-example.com', false],
  ['https://example.com.acme.io', false],
  ['http://127.0.0.1/example.com', false],
])('%s: %s', (url, is) => expect(isPlaceholder(url)).toBe(is));
