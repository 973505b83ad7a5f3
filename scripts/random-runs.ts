/**
 * Writes runs of random deployments in virtual time, with the truth about each: `random-runs.ts FOLDER [COUNT] [SEED]`.
 * `index.json` names the files and says which requirements each deployment breaks.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { drawRun, type RunKind } from '../src/accuracy/virtual/draw-run.ts';
import { virtualRun } from '../src/accuracy/virtual/virtual-run.ts';
import { writeRun } from '../src/accuracy/virtual/write-run.ts';

const [folder, count = '200', first = '1'] = process.argv.slice(2);
if (folder === undefined || !(Number(count) > 0) || !Number.isInteger(Number(first))) {
  console.error('Usage: random-runs.ts FOLDER [COUNT] [SEED]: a folder to write to, how many runs, and the first seed');
  process.exit(2);
}
mkdirSync(folder, { recursive: true });

/** Half of the runs deviate. */
const KINDS: readonly RunKind[] = [
  'one deviation',
  'conforming',
  'two deviations',
  'used by others',
  'one deviation',
  'bad day',
  'from outside',
  'used steadily',
];
const index = [];
for (let at = 0; at < Number(count); at++) {
  const seed = Number(first) + at;
  const kind = KINDS[at % KINDS.length] ?? 'conforming';
  const { options, deployment, others, broken, mayFollow, what } = drawRun(kind, seed);
  const run = await virtualRun(options);
  const file = `${kind.replaceAll(' ', '-')}-${seed}.ndjson.gz`;
  const plain = join(folder, 'trace.ndjson');
  rmSync(plain, { force: true });
  writeRun(plain, run.trace, run.lines);
  writeFileSync(join(folder, file), gzipSync(readFileSync(plain)));
  rmSync(plain);
  const { deviations } = deployment;
  index.push({ file, kind, broken, mayFollow, shown: true, what: `${what} Seed ${seed}.`, deviations, others });
}
writeFileSync(join(folder, 'index.json'), `${JSON.stringify(index, null, 1)}\n`);
