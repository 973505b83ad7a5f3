import { expect } from 'vitest';
import { thorough } from '../../../test/sampled.test-support.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { drawRun } from './draw-run.ts';
import { rateRun } from './rate-run.ts';
import { virtualRun } from './virtual-run.ts';

thorough.each([
  ['each connection has a budget', 'finer-scope', 8998035],
  ['what comes by Bearer is not counted', null, 8997004],
] as const)('the few requests of check are told as one deviation of both kinds: %s', async (_, operator, seed) => {
  const drawn = drawRun('one deviation', seed, operator);
  const { trace } = await virtualRun({ ...drawn.options, mode: 'check' });
  expect(rateRun(drawn, judgeTrace(trace), null, 0)).toMatchObject({ named: true, wrong: [] });
});
