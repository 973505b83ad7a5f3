import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { sampled } from '../../../test/sampled.test-support.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { cutAt } from '../../judge/shown.ts';
import { provedByAnswers, provedByHistory } from '../../judge/so-far.ts';
import type { Trace } from '../../trace/trace.ts';
import { drawRun, type RunKind } from './draw-run.ts';
import { virtualRun } from './virtual-run.ts';

/**
 * None in the quick tests, which are the same each time: what a draw of ill luck shows would be told to somebody who
 * changed nothing.
 */
const DRAWS = Number(process.env.RANDOM_DRAWS ?? (process.env.EVERY_CASE ? 3 : 0));
/** Other draws each time: a name of a test that failed says which, and RANDOM_SEED repeats it. */
const FIRST = Number(process.env.RANDOM_SEED ?? randomInt(2 ** 30));
const KINDS: readonly RunKind[] = ['conforming', 'used by others', 'used steadily', 'bad day'];
const FRESH = KINDS.flatMap((kind) => Array.from({ length: DRAWS }, (_, index) => [kind, FIRST + index] as const));

/**
 * Failed once: others took all that was left of both keys, which looked like a lower limit; used a counter before and
 * during the run, which looked like one larger use that was less likely than charged requests without a key; left a
 * counter as a bucket would; came in the midst of a burst, which looked like two uses; were there when headers that are
 * read late told of the next window; opened windows of a target that sends no Date; came but one to a key, while failed
 * requests might be counted; spent a counter anew just before it let a request with a query through; and spent budgets
 * before the first refusals, which looked like those of another limit; and came so often that two deviations together
 * were said in fewer bits; came before a window that slides in steps, or in mid-run; came just before an answer that does
 * not show it; took most of each window of a counter; and looked like old entries of a log, on a very slow network.
 */
const FAILED_ONCE = [
  ['used by others', 5194],
  ['used by others', 51111],
  ['used by others', 51219],
  ['used by others', 7200],
  ['used by others', 54005],
  ['used by others', 340007],
  ['used by others', 940035],
  ['used by others', 950230],
  ['used by others', 970028],
  ['used by others', 990047],
  ['used by others', 997019],
  ['used by others', 1200025],
  ['used by others', 1200065],
  ['used by others', 1260139],
  ['used by others', 54151579],
  ['used by others', 880410],
  ['used by others', 880355],
  ['used by others', 881079],
  ['used by others', 45025],
  ['used by others', 530052],
  ['used by others', 231300],
  ['used by others', 72705503],
  ['used by others', 283262],
  ['used steadily', 1510078],
  ['used steadily', 1530017],
] as const;

/**
 * The golden ratio less 1: its multiples lie evenly in the unit interval (Weyl), so that successive seeds look at
 * different moments.
 */
const EVENLY = (Math.sqrt(5) - 1) / 2;

/** The requirements of which failures would be told at one moment of the run, which the seed chooses. */
function toldInPassing(trace: Trace, seed: number): readonly string[] {
  const moment = ((seed * EVENLY) % 1) * (trace.exchanges.at(-1)?.sent ?? 0);
  const proved = [...provedByAnswers(cutAt(trace, moment)), ...provedByHistory(trace, moment).proved];
  return proved.map(({ verdict }) => verdict.id);
}

test.each([...sampled(FAILED_ONCE, FAILED_ONCE.length), ...FRESH])(
  'no random deployment that conforms fails anything, in the end or in passing: %s, seed %i',
  async (kind, seed) => {
    const { options, what } = drawRun(kind, seed);
    const { trace } = await virtualRun(options);
    const { verdicts } = judgeTrace(trace);
    const failed = verdicts.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
    expect({ what, failed, told: toldInPassing(trace, seed) }).toEqual({ what, failed: [], told: [] });
  },
);
