import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from './run.test-support.ts';
import { suitePackage } from './suite-package.ts';

function makePackage(): string {
  const root = temporaryFolder();
  mkdirSync(join(root, 'src', 'deep'), { recursive: true });
  mkdirSync(join(root, 'schema'));
  writeFileSync(join(root, 'package.json'), '{ "name": "suite", "version": "1.2.3" }');
  writeFileSync(join(root, 'src', 'one.ts'), 'one');
  writeFileSync(join(root, 'src', 'deep', 'two.ts'), 'two');
  writeFileSync(join(root, 'schema', 'a.json'), '{}');
  return root;
}

test('the digest is that of what sha256sum prints for the files in order', ({ skip }) => {
  const root = makePackage();
  const files = ['package.json', 'schema/a.json', 'src/deep/two.ts', 'src/one.ts'];
  let printed: string;
  try {
    printed = execFileSync('sha256sum', files, { cwd: root, encoding: 'utf8' });
  } catch {
    return skip('sha256sum is not available here');
  }
  const digest = createHash('sha256').update(printed).digest('hex');
  expect(suitePackage(root)).toEqual({ name: 'suite', version: '1.2.3', digest });
});

test('any file that decides what the suite does changes it; a test or a fetched program does not', () => {
  const root = makePackage();
  const before = suitePackage(root).digest;
  writeFileSync(join(root, 'src', 'one.test.ts'), 'a test');
  writeFileSync(join(root, 'src', 'k6'), 'a program');
  writeFileSync(join(root, 'README.md'), 'words');
  expect(suitePackage(root).digest).toBe(before);
  writeFileSync(join(root, 'src', 'one.ts'), 'another');
  expect(suitePackage(root).digest).not.toBe(before);
});

test('without a folder it is this package', () => {
  expect(suitePackage()).toMatchObject({
    name: 'size-chart-conformance',
    digest: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});
