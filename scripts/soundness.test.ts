import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../src/package-root.ts';

// Not those of the documentation: what is recorded there is made anew with each release.
test('npm run soundness runs every file of which npm test runs only a sample', () => {
  const root = packageRoot();
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const named = `${scripts.soundness}`.split(' ').filter((each) => each.startsWith('src/'));
  const files = globSync('src/**/*.test.ts', { cwd: root }).map((file) => file.replaceAll('\\', '/'));
  const isSampled = (file: string): boolean =>
    /sampled\.test-support\.ts'|process\.env\.EVERY_CASE/.test(readFileSync(join(root, file), 'utf8'));
  const left = files.filter((file) => isSampled(file) && !named.some((each) => file.startsWith(each)));
  expect(left).toEqual([]);
  expect(named.filter((each) => !files.some((file) => file.startsWith(each)))).toEqual([]);
});
