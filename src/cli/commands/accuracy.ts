import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { measureAccuracy } from '../../accuracy/accuracy.ts';
import { rate } from '../../accuracy/subject.ts';
import { subjects } from '../../accuracy/subjects.ts';
import { accuracyTable, summarise } from '../../accuracy/table.ts';
import { drawSeed } from '../../drive/run.ts';
import type { Invocation } from '../arguments.ts';

/** Fast enough for the whole set in minutes, slow enough that a burst is still a burst. */
const DEFAULT_SCALE = 30;

/** Runs the suite against every variant and defect of the reference server; 1 where it fails a conforming one, misses a defect, or judges a trace differently again. */
export async function accuracyCommand({ options, given }: Invocation): Promise<number> {
  const scale = given.has('time-scale') ? options.timeScale : DEFAULT_SCALE;
  const seed = options.seed ?? drawSeed();
  const out = options.out ?? 'reports';
  mkdirSync(out, { recursive: true });
  const outcomes = await measureAccuracy(subjects(), {
    scale,
    seed,
    keys: 4,
    keep: null,
    onOutcome(outcome, done, all) {
      if (!options.quiet) {
        const said = outcome.error ?? [...outcome.failed, ...outcome.inconclusive.map((id) => `${id}?`)].join(' ');
        process.stderr.write(`${done}/${all} ${rate(outcome)}: ${outcome.subject.name}  ${said}\n`);
      }
    },
  });
  const accuracy = summarise(outcomes);
  const heading = `The whole suite over HTTP against the reference server, 4 keys, ${scale} times faster than real time, seed ${seed}.`;
  writeFileSync(join(out, 'accuracy.json'), `${JSON.stringify({ scale, seed, ...accuracy }, null, 2)}\n`);
  writeFileSync(join(out, 'accuracy.md'), accuracyTable(accuracy, heading));
  const { falseFailures, conforming, found, observable, repeatable } = accuracy;
  process.stdout.write(
    `${found} of ${observable} observable defects found; ${falseFailures} false failures in ${conforming} conforming runs; ${repeatable} of ${outcomes.length} traces judged again to the same bytes. ${join(out, 'accuracy.md')}\n`,
  );
  return falseFailures === 0 && found === observable && repeatable === outcomes.length ? 0 : 1;
}
