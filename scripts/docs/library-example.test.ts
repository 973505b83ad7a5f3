import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/clock/system-clock.ts';
import { referenceProfile } from '../../src/reference/profile.ts';
import { startReference } from '../../src/reference/server.ts';
import { libraryExample } from './library.ts';
import { complaints } from './library-example.ts';

const KEYS = ['full-1', 'full-2'];

test.each([
  { defect: null, expected: [] },
  { defect: 'created-201', expected: [expect.stringContaining('STATUS-200'), expect.stringContaining('STATUS-SET')] },
])('the example of docs/library.md, against a server with the defect $defect', async ({ defect, expected }) => {
  const folder = mkdtempSync(join(tmpdir(), 'size-chart-library-'));
  const previous = process.cwd();
  const server = await startReference({
    keys: { full: KEYS, restricted: null, revoked: null },
    clock: systemClock(1),
    ...(defect === null ? {} : { defect }),
  });
  try {
    const profile = join(folder, 'acme.profile.yaml');
    writeFileSync(profile, referenceProfile(server.baseUrl));
    process.chdir(folder);
    expect(await complaints(profile, KEYS)).toEqual(expected);
  } finally {
    process.chdir(previous);
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('is shown as a user of the package would write it', () => {
  expect(libraryExample()).toContain("from 'size-chart-conformance'");
});
