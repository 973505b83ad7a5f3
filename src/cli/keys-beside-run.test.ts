import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseCommandLine } from './arguments.ts';
import { keysBesideRun } from './keys-beside-run.ts';

const FOLDER = process.cwd();

/** @param files those that exist */
function found(line: string, files: readonly string[], env: Readonly<Record<string, string>> = {}): string | null {
  return keysBesideRun(parseCommandLine(line.split(' ')), env, (file) => files.includes(file));
}

test('a replay in the folder of a run finds the keys where the run was started', () => {
  const above = [join(FOLDER, '..', '.env')];
  expect(found('replay . LIMIT-R', above)).toBe(join('..', '.env'));
  // Below this folder, so that the test does not depend on how deep in the file system it lies.
  expect(found('replay a/b/run LIMIT-R', [join(FOLDER, 'a', '.env')])).toBe(join('a', '.env'));
  expect(found('replay reports/monday LIMIT-R', [join(FOLDER, 'reports', '.env')])).toBe(join('reports', '.env'));
});

test('keys that are given, and other commands, need no file from elsewhere', () => {
  const above = [join(FOLDER, '..', '.env')];
  expect(found('replay . LIMIT-R', above, { SIZE_CHART_KEYS: 'a,b' })).toBe(null);
  expect(found('replay . LIMIT-R', ['.env', ...above])).toBe(null);
  expect(found('replay . LIMIT-R --keys-file other.env', above)).toBe(null);
  expect(found('certify', above)).toBe(null);
  expect(found('replay a/b/c/run LIMIT-R', [join(FOLDER, 'a', '.env')])).toBe(null);
});
