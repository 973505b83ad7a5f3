import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../package-root.ts';
import type { SuitePackage } from './statement.ts';

/** The parts of a package that determine its behaviour; tests and downloads at run time do not. */
const PLACES = ['bin', 'dist', 'load', 'schema', 'src', 'suites'];
const SOURCE = /\.(?:[cm]?js|ts|json|ya?ml|css)$/;
const TEST = /\.test(?:-support)?\.[jt]s$/;

/**
 * Name, version and digest of the suite that is running. The digest is SHA-256 over lines `<SHA-256 of the file>  <path>` in order of path,
 * for the manifest and the files of the suite, as `sha256sum` prints them. The compiled form of a package (`dist`) has
 * a different digest than its source.
 */
export function suitePackage(root: string = packageRoot()): SuitePackage {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { name: string; version: string };
  const compiled = fileURLToPath(import.meta.url).startsWith(join(root, 'dist') + sep);
  const places = PLACES.filter((each) => each !== (compiled ? 'src' : 'dist'));
  const files = ['package.json', ...places.flatMap((place) => sourceFiles(root, place))].sort();
  const lines = files.map((file) => `${sha256(readFileSync(join(root, file)))}  ${file}\n`);
  return { name: manifest.name, version: manifest.version, digest: sha256(lines.join('')) };
}

/** Paths below the root, with `/` on every system. */
function sourceFiles(root: string, place: string): readonly string[] {
  if (!existsSync(join(root, place))) return [];
  return readdirSync(join(root, place), { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && SOURCE.test(each.name) && !TEST.test(each.name))
    .map((each) => relative(root, join(each.parentPath, each.name)).split(sep).join('/'))
    .filter((path) => !path.includes('node_modules/'));
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
