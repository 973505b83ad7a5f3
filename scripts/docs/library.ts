import { readFileSync } from 'node:fs';

/**
 * The example of the library as a user would write it: the file that is tested, with the package's name for our path.
 */
export function libraryExample(): string {
  const source = readFileSync(new URL('./library-example.ts', import.meta.url), 'utf8');
  return `\`\`\`ts\n${source.replace("'../../src/api.ts'", "'size-chart-conformance'")}\`\`\``;
}
