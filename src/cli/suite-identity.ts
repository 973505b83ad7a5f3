import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../package-root.ts';

/** Name and version of this package, as its package.json has them. */
export function suiteIdentity(): { readonly name: string; readonly version: string } {
  const { name, version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as {
    name: string;
    version: string;
  };
  return { name, version };
}
