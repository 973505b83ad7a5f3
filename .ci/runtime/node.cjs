// Runs a script of this repository on a Node.js that is new enough: the current one where it is, else the pinned one
// beside this file, which is installed on first use from the npm registry. Old syntax on purpose: any Node.js reads it.
// Usage: node .ci/runtime/node.cjs SCRIPT [ARGUMENT ...]
'use strict';
const { spawn, spawnSync } = require('node:child_process');
const { existsSync } = require('node:fs');
const { constants } = require('node:os');
const { delimiter, dirname, join } = require('node:path');

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number);
  return (major === 22 && minor >= 19) || major === 24 || major >= 26;
}

function pinnedNode() {
  const binary = join(__dirname, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
  if (existsSync(binary)) return binary;
  if (process.platform !== 'linux' || (process.arch !== 'x64' && process.arch !== 'arm64')) {
    fail(`no pinned Node.js is published for ${process.platform}-${process.arch}`);
  }
  console.error(`Node.js ${process.versions.node} is too old; installing the pinned one once (about 30 MB) ...`);
  const npm = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: __dirname,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (npm.status !== 0 || !existsSync(binary)) fail('the pinned one could not be installed (see above)');
  return binary;
}

function fail(why) {
  console.error(
    'This repository needs Node.js 22.19+, 24 or 26+; this is ' +
      process.versions.node +
      ', and ' +
      why +
      '.\n' +
      'Install one of them (https://nodejs.org) and run the command again.',
  );
  process.exit(2);
}

const node = isNewEnough(process.versions.node) ? process.execPath : pinnedNode();
const env = Object.assign({}, process.env, { PATH: dirname(node) + delimiter + process.env.PATH });
const child = spawn(node, process.argv.slice(2), { stdio: 'inherit', env: env });
// A terminal's Ctrl-C reaches the whole group by itself; any other signal is passed on.
process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
process.on('SIGTERM', () => child.kill('SIGTERM'));
process.on('SIGHUP', () => child.kill('SIGHUP'));
child.on('exit', (code, signal) => process.exit(code === null ? 128 + (constants.signals[signal] || 15) : code));
