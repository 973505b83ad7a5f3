import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { requirement } from '../src/catalogue/catalogue.ts';
import { COVERAGE } from '../src/catalogue/coverage.ts';
import type { RequirementId } from '../src/catalogue/requirement.ts';
import { REQUIREMENTS } from '../src/catalogue/requirements.ts';
import { packageRoot } from '../src/package-root.ts';
import type { Stated } from './requires.ts';

const FOLDER = join(packageRoot(), 'suites');
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.suite.ts'));

/** The IDs in the order of the suites, which are read below: each statement is a test here, in place of its own. */
const stated: RequirementId[] = [];
vi.mock('./requires.ts', () => ({
  requires(id: RequirementId, words: Stated) {
    stated.push(id);
    test(`${id} is stated as in the catalogue, and names a judge that is there`, () => {
      const { clauses, statement } = requirement(id);
      expect(words).toMatchObject({ clause: clauses.join(', '), statement, judgedBy: COVERAGE[id].judge });
      expect(words.tried).not.toBe('');
      expect(existsSync(join(packageRoot(), words.judgedBy))).toBe(true);
    });
  },
}));
await import('./all.suite.ts');

test('the suites state all requirements of the catalogue, in its order', () => {
  expect(stated).toEqual(REQUIREMENTS.map(({ id }) => id));
});

test('every section is run', () => {
  const all = readFileSync(join(FOLDER, 'all.suite.ts'), 'utf8');
  for (const name of FILES) if (name !== 'all.suite.ts') expect(all).toContain(`'./${name}'`);
});
