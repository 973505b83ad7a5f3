#!/usr/bin/env node
// Says plainly what is needed before anything newer is loaded: hence no syntax that an older Node.js cannot read.
import { existsSync } from 'node:fs';

const version = process.versions.node.split('.').map(Number);
const isNewEnough = (version[0] === 22 && version[1] >= 19) || version[0] === 24 || version[0] >= 26;

if (isNewEnough) {
  // The repository runs its sources as they are; the package, where Node.js strips no types, what was built from them.
  const isRepository = existsSync(new URL('../tsconfig.json', import.meta.url));
  const main = await import(isRepository ? '../src/cli/main.ts' : '../dist/src/cli/main.js');
  process.exitCode = await main.main(process.argv.slice(2));
} else {
  console.error(
    'size-chart-conformance needs Node.js 22.19+, 24 or 26+; this is ' +
      process.versions.node +
      '.\nInstall one of them (https://nodejs.org), or run it with: npx --package=node@24 --package=size-chart-conformance size-chart-conformance',
  );
  process.exitCode = 2;
}
