#!/usr/bin/env node
// Says plainly what is needed before anything newer is loaded: hence no syntax that an older Node.js cannot read.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

// Until a command sees to signals itself, one that comes ends it with the code of a run that is incomplete. A signal to
// the whole process group (Ctrl-C, a cancelled CI job) arrives twice where a parent, such as npx, passes it on as well:
// what comes again at once is the same signal.
const sameSignalMs = 500;
const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
for (const signal of endingSignals) {
  let last = -Infinity;
  process.on(signal, () => {
    const isRepeated = performance.now() - last < sameSignalMs;
    last = performance.now();
    if (process.listenerCount(signal) > 1 || isRepeated) return;
    console.error(`size-chart-conformance: ended by ${signal}`);
    process.exit(3);
  });
}

const version = process.versions.node.split('.').map(Number);
const isNewEnough = (version[0] === 22 && version[1] >= 19) || version[0] === 24 || version[0] >= 26;
// The repository runs its sources as they are; the package, where Node.js strips no types, what was built from them.
const isRepository = existsSync(new URL('../tsconfig.json', import.meta.url));
const pinned = new URL('../.ci/runtime/node.cjs', import.meta.url);

if (process.env.NODE_DEBUG || process.env.NODE_DEBUG_NATIVE) {
  // Node.js has read these by now, and prints what it sends and with which environment: keys, that is.
  console.error('size-chart-conformance: NODE_DEBUG prints keys. Unset it, and NODE_DEBUG_NATIVE, and run this again.');
  process.exitCode = 2;
} else if (isNewEnough) {
  // A crash report would list the environment, and with it the keys.
  if (process.report) process.report.excludeEnv = true;
  // What was compiled once need not be compiled again: half of the processor time of a short command. The threads of a
  // run learn it by the environment. Where the folder cannot be written, nothing is kept, and nothing else changes.
  const compiled = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url));
  module.enableCompileCache(compiled);
  process.env.NODE_COMPILE_CACHE = compiled;
  const main = await import(isRepository ? '../src/cli/main.ts' : '../dist/src/cli/main.js');
  process.exitCode = await main.main(process.argv.slice(2));
} else if (isRepository && existsSync(pinned)) {
  // A checkout brings its own Node.js, as its npm scripts do.
  const own = [fileURLToPath(pinned), fileURLToPath(import.meta.url)].concat(process.argv.slice(2));
  const child = spawn(process.execPath, own, { stdio: 'inherit' });
  for (const signal of endingSignals) process.on(signal, () => child.kill(signal));
  process.exitCode = await new Promise((resolve) => child.on('exit', (code) => resolve(code === null ? 2 : code)));
} else {
  console.error(
    'size-chart-conformance needs Node.js 22.19+, 24 or 26+; this is ' +
      process.versions.node +
      '.\nInstall one of them (https://nodejs.org), or run it with: npx --package=node@24 --package=size-chart-conformance size-chart-conformance',
  );
  process.exitCode = 2;
}
