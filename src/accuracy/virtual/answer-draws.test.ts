import { expect, test } from 'vitest';
import { judge } from '../../judge/conclude.ts';
import { limitsThat } from '../../judge/trace-builder.test-support.ts';
import { drawAnswer } from './draw-answer.test-support.ts';
import { virtualRun } from './virtual-run.ts';

/**
 * The same draws each time, since one in a hundred may be missed; ANSWER_SEED repeats one, and ANSWER_DRAWS asks for
 * more.
 */
const DRAWS = Number(process.env.ANSWER_DRAWS ?? 8);
const FIRST = Number(process.env.ANSWER_SEED ?? 1);

test.each(Array.from({ length: DRAWS }, (_, index) => FIRST + index))(
  'a class of requests, told by two factors, that is answered wrongly is found under what it breaks: seed %i',
  async (seed) => {
    const { options, broken, what } = drawAnswer(seed);
    const { trace } = await virtualRun(options);
    // Single answers contradict these: what the budgets say is for others to judge.
    const { verdicts } = judge(trace, limitsThat());
    const failed = verdicts.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
    expect(
      broken.filter((id) => failed.includes(id)).length,
      `${what} Broken: ${broken}; failed: ${failed}`,
    ).toBeGreaterThan(0);
  },
);
