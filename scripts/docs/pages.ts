import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { accuracyPage, accuracySummary, readAccuracy } from './accuracy.ts';
import { alignTables } from './align-tables.ts';
import { fillBlocks } from './blocks.ts';
import { commandList, commandReference } from './commands.ts';
import { sentenceTable } from './first-sentences.ts';
import { leastTimes } from './least-time.ts';
import { libraryExample } from './library.ts';
import { profileFields } from './profile-fields.ts';
import { catalogueTables, requirementPages } from './requirements.ts';
import { scenarioTable } from './scenarios.ts';

/** A file of the repository, by its path from the root. */
export interface Page {
  readonly path: string;
  readonly text: string;
}

const PAGES_AT_ROOT = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'] as const;

/**
 * Every page as it has to be: those that are generated whole, and the hand-written ones with their generated blocks
 * filled anew. Writes nothing.
 */
export function generatedPages(root: string): readonly Page[] {
  const accuracy = readAccuracy(join(root, 'docs', 'accuracy.json'));
  const blocks = {
    accuracy: accuracySummary(accuracy),
    'command-list': commandList(),
    'command-reference': commandReference(),
    'profile-fields': profileFields(),
    catalogue: catalogueTables(),
    scenarios: scenarioTable(),
    'least-time': leastTimes(),
    'library-example': libraryExample(),
    'first-sentences': sentenceTable(join(root, 'docs', 'first-sentences.json')),
  };
  const whole = [...requirementPages(), { path: 'docs/accuracy.md', text: accuracyPage(accuracy) }];
  const generated = new Set(whole.map(({ path }) => path));
  const written = handWrittenPages(root).filter((path) => !generated.has(path));
  const filled = written.map((path) => ({
    path,
    text: fillBlocks(readFileSync(join(root, path), 'utf8'), blocks, path),
  }));
  return [...whole, ...filled].map(({ path, text }) => ({ path, text: alignTables(text) }));
}

/** Every Markdown page of the documentation that is on disk, by its path from the root. */
export function documentationPages(root: string): readonly string[] {
  const below = (folder: string) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`);
  return [...PAGES_AT_ROOT, ...below('docs').toSorted(), 'reports/README.md'].filter(
    (path) => path.endsWith('.md') && existsSync(join(root, path)),
  );
}

function handWrittenPages(root: string): readonly string[] {
  return documentationPages(root).filter((path) => !path.startsWith('docs/requirements/'));
}
