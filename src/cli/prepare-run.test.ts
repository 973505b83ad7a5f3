import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { referenceProfile } from '../reference/profile.ts';
import { loadTarget } from './prepare-run.ts';

const folder = mkdtempSync(join(tmpdir(), 'size-chart-target-'));
afterAll(() => rmSync(folder, { recursive: true }));

const profileFile = join(folder, 'p.yaml');
const variables = { values: { SIZE_CHART_KEYS: 'a-key-of-the-panel-1' }, problem: null };

function warningsAt(inFile: string, baseUrl: string | null): readonly string[] {
  writeFileSync(profileFile, referenceProfile(inFile));
  const warnings: string[] = [];
  loadTarget({ profileFile, baseUrl, waiversFile: null, variables, maxRequests: null }, (text) => warnings.push(text));
  return warnings;
}

test('a base URL that is still the placeholder of init is a warning, unless another one is given', () => {
  const placeholder = 'https://api.example.com/api/v1';
  expect(warningsAt(placeholder, null)).toEqual([
    expect.stringMatching(/still the placeholder .*base_url of .*p\.yaml/),
  ]);
  expect(warningsAt(placeholder, 'https://charts.internal/api/v1')).toEqual([]);
  expect(warningsAt('https://charts.internal/api/v1', null)).toEqual([]);
});
