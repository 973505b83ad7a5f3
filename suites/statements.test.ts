import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { COVERAGE } from '../src/catalogue/coverage.ts';
import { REQUIREMENTS } from '../src/catalogue/requirements.ts';
import { packageRoot } from '../src/package-root.ts';
import type { Stated } from './requires.ts';

const FOLDER = join(packageRoot(), 'suites');
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.suite.ts'));

const stated = new Map<string, Stated>();
vi.mock('./requires.ts', () => ({
  requires: (id: string, words: Stated) => stated.set(id, words),
}));
vi.mock('vitest', async (original) => ({ ...(await original()), describe: (_: string, body: () => void) => body() }));

test('the suites state what the catalogue states, in its order, and name a judge that is there', async () => {
  await import('./all.suite.ts');
  expect([...stated.keys()]).toEqual(REQUIREMENTS.map(({ id }) => id));
  for (const { id, clauses, statement } of REQUIREMENTS) {
    const words = stated.get(id);
    expect(words, id).toMatchObject({ clause: clauses.join(', '), statement, judgedBy: COVERAGE[id].judge });
    expect(words?.tried, id).not.toBe('');
    expect(existsSync(join(packageRoot(), words?.judgedBy ?? '')), `${id}: ${words?.judgedBy}`).toBe(true);
  }
});

test('every section is run', () => {
  const all = readFileSync(join(FOLDER, 'all.suite.ts'), 'utf8');
  for (const name of FILES) if (name !== 'all.suite.ts') expect(all).toContain(`'./${name}'`);
});
