import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { measureAccuracy } from '../../accuracy/accuracy.ts';
import { rate } from '../../accuracy/subject.ts';
import { subjects } from '../../accuracy/subjects.ts';
import { type RecordedAccuracy, recordedTable, summarise } from '../../accuracy/table.ts';
import { measureRandom } from '../../accuracy/virtual/random-accuracy.ts';
import { type RandomAccuracy, randomTable } from '../../accuracy/virtual/random-table.ts';
import type { RandomOutcome } from '../../accuracy/virtual/rate-run.ts';
import { drawSeed } from '../../drive/draw-seed.ts';
import { makeFolder } from '../../run-folder/output-folder.ts';
import type { Invocation } from '../arguments.ts';

/** Fast enough for the whole set in minutes, slow enough that a burst is still a burst. */
const DEFAULT_SCALE = 30;

/**
 * Runs the suite against every variant and defect of the reference server over HTTP, and against random deployments in
 * virtual time; returns 1 if it fails a conforming one, misses a seeded defect, or judges a trace differently the
 * second time.
 */
export async function accuracyCommand({ positionals: [part = 'both'], options, given }: Invocation): Promise<number> {
  const scale = given.has('time-scale') ? options.timeScale : DEFAULT_SCALE;
  const seed = options.seed ?? drawSeed();
  const out = options.out ?? 'reports';
  const say = options.quiet ? () => {} : (line: string) => void process.stderr.write(`${line}\n`);
  makeFolder(out);
  const file = join(out, 'accuracy.json');
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as RecordedAccuracy) : null;
  const seeded = part === 'random' ? before : { scale, seed, ...(await playSeeded(scale, seed, say)) };
  const random = part === 'seeded' ? (before?.random ?? null) : await drawAtRandom(seed, options.draws, say);
  if (seeded) {
    writeFileSync(file, `${JSON.stringify({ ...seeded, random }, null, 2)}\n`);
    writeFileSync(join(out, 'accuracy.md'), recordedTable({ ...seeded, random }));
  } else if (random) {
    writeFileSync(join(out, 'random.json'), `${JSON.stringify(random, null, 2)}\n`);
  }
  const passed = part === 'random' || !seeded || conclude(seeded);
  return passed && (random === null || random.falseFailures.length === 0) ? 0 : 1;
}

async function playSeeded(scale: number, seed: number, say: (line: string) => void) {
  const outcomes = await measureAccuracy(subjects(), {
    scale,
    seed,
    keys: 4,
    keep: null,
    onOutcome(outcome, done, all) {
      const said = outcome.error ?? [...outcome.failed, ...outcome.inconclusive.map((id) => `${id}?`)].join(' ');
      say(`${done}/${all} ${rate(outcome)}: ${outcome.subject.name}  ${said}`);
    },
  });
  return summarise(outcomes);
}

/** Returns whether the suite judged every seeded deployment correctly, and prints how many. */
function conclude(accuracy: RecordedAccuracy): boolean {
  const { falseFailures, wrongBeside, conforming, found, observable, repeatable, outcomes } = accuracy;
  process.stdout.write(
    `${found} of ${observable} observable defects found, ${wrongBeside} with a failure that they do not explain; ${falseFailures} false failures in ${conforming} conforming runs; ${repeatable} of ${outcomes.length} traces gave the same report, byte for byte, when judged again.\n`,
  );
  return falseFailures + wrongBeside === 0 && found === observable && repeatable === outcomes.length;
}

async function drawAtRandom(seed: number, draws: number, say: (line: string) => void): Promise<RandomAccuracy> {
  const random = await measureRandom(seed, draws, (outcome, done) => {
    const line = lineOf(outcome);
    if (line !== null) say(`${done}/${draws} ${line}`);
  });
  process.stdout.write(`${randomTable(random)}\n`);
  return random;
}

/** What went wrong with a draw and how to repeat it; null if nothing went wrong. */
function lineOf({ seed, deviations, failed, wrong, refutedExactly, named, what }: RandomOutcome): string | null {
  const amiss =
    deviations.length === 0
      ? failed.length > 0 && 'false failure'
      : wrong.length > 0
        ? `wrong besides (${wrong.join(' ')})`
        : refutedExactly === true && (failed.length === 0 ? 'missed' : !named && 'named wrongly');
  if (!amiss) return null;
  return `${amiss}: ${what} Failed: ${failed.join(' ') || 'nothing'}. To see it again: accuracy random --draws 1 --seed ${seed}`;
}
