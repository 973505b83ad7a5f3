import { expect, test } from 'vitest';
import { looksSecret } from './looks-secret.ts';

test.each([
  'sk_live_4eC39HqLyjWDarjtT1zdp7dc',
  'AKIA1234567890ABCDEF',
  'f47ac10b-58cc-4372-a567-0e02b2c3d479',
  'Zm9vYmFyYmF6cXV4cXV1eGNvcmdl',
  'key-1a-2b-3c-4d-5e-6f-7g-8h',
])('%s looks like a key', (word) => expect(looksSecret(word)).toBe(true));

test.each(['size-chart', 'size-chart-conformance', 'LIMIT-HISTORY', 'HDR-99', '2026-11-21T05-27-00Z-certify', 'HDR'])(
  '%s does not',
  (word) => expect(looksSecret(word)).toBe(false),
);
