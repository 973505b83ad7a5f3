import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Compiles what the package runs. Nothing is bundled: a vendor who reads the stack of an error finds our files. Their
// comments, a sixth of the package, stay in the repository; those of the declarations are what an editor shows to a
// user of the library.
const root = fileURLToPath(new URL('..', import.meta.url));
rmSync(`${root}/dist`, { recursive: true, force: true });
const status = compile('--removeComments', '--declaration', 'false') || compile('--emitDeclarationOnly');
const dist = join(root, 'dist');
const needed = entries().reduce((found, entry) => typesOf(join(root, entry), found), new Set<string>());
for (const file of globSync('**/*.d.ts', { cwd: dist })) if (!needed.has(join(dist, file))) rmSync(join(dist, file));
process.exitCode = status;

/** The compiler's exit code; 1 if it was killed. */
function compile(...options: readonly string[]): number {
  const all = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', ...options];
  return spawnSync(process.execPath, all, { cwd: root, stdio: 'inherit' }).status ?? 1;
}

/** The declarations that the package's exports name. */
function entries(): readonly string[] {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
  };
  return Object.values(exports).flatMap((entry) => (typeof entry === 'string' ? [] : [entry.types]));
}

/**
 * The declarations that a user of the library meets: the file, and what it takes from others, added to those found
 * before.
 */
function typesOf(file: string, found: Set<string>): Set<string> {
  if (found.has(file) || !existsSync(file)) return found;
  found.add(file);
  const imports = readFileSync(file, 'utf8').matchAll(/(?:from |import\()["'](\.[^"']+)["']/g);
  for (const [, path = ''] of imports) typesOf(join(dirname(file), path.replace(/\.(js|ts)$/, '.d.ts')), found);
  return found;
}
