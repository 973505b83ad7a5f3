// Prints what a user downloads and installs: the packed package, and with it all packages that it depends on.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

interface Locked {
  readonly dev?: boolean;
}

const pack = ['pack', '--dry-run', '--ignore-scripts', '--json', '--loglevel=error'];
const [packed] = JSON.parse(execFileSync('npm', pack, { encoding: 'utf8', maxBuffer: 2 ** 26 }));
const lock: { packages: Readonly<Record<string, Locked>> } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
// What the lock names for other platforms is not there.
const installed = Object.entries(lock.packages).flatMap(([folder, { dev }]) =>
  folder !== '' && !dev && existsSync(folder) ? [folder] : [],
);
const own = installed.reduce((sum, folder) => sum + sizeOf(folder), 0);

console.log(
  `packed     ${mebibytes(packed.size)} in ${packed.files.length} files, ${mebibytes(packed.unpackedSize)} unpacked`,
);
console.log(
  `installed  ${mebibytes(packed.unpackedSize + own)} with the ${installed.length} packages that it depends on`,
);

/** Bytes of the files below a package's folder, without the packages nested in it, which count for themselves. */
function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? sum : sum + sizeOf(path);
    return entry.isFile() ? sum + statSync(path).size : sum;
  }, 0);
}

function mebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}
