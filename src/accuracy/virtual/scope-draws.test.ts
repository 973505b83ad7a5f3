import { expect, test } from 'vitest';
import { sampled } from '../../../test/sampled.test-support.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { drawScope } from './draw-scope.test-support.ts';
import { virtualRun } from './virtual-run.ts';

/**
 * The same draws each time, since one in fifty may be missed; SCOPE_SEED repeats one, and SCOPE_DRAWS asks for more.
 */
const DRAWS = Number(process.env.SCOPE_DRAWS ?? 3);
const FIRST = Number(process.env.SCOPE_SEED ?? 500);

test.each(
  sampled(
    Array.from({ length: DRAWS }, (_, index) => FIRST + index),
    3,
  ),
)(
  'some operations that are exempt, or have a limit or a budget of their own, are told as such: seed %i',
  async (seed) => {
    const { options, what } = drawScope(seed);
    const { verdicts } = judgeTrace((await virtualRun(options)).trace);
    const failed = verdicts.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
    expect({ what, failed }).toEqual({ what, failed: expect.arrayContaining(['LIMIT-SCOPE']) });
  },
);
