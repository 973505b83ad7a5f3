import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generatedPages } from './docs/pages.ts';
import { sampleReports } from './docs/sample.ts';

// Writes what the documentation takes from the code: pages under docs/requirements, the marked blocks of other pages,
// and the reports of the sample run.
const root = fileURLToPath(new URL('..', import.meta.url));
for (const { path, text } of [...generatedPages(root), ...(await sampleReports(root))]) {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
