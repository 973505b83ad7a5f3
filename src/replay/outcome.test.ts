import { expect, test } from 'vitest';
import { EPOCH, exchanges, headers, traceOf } from '../judge/trace-builder.test-support.ts';
import { outcomeOf } from './outcome.ts';
import type { Sequence } from './sequence.ts';

const SECOND = 1e6;

/** A first marker so many seconds ahead, cut up to the whole second, 0.85 s after one; and an answer after it. */
function answered(ahead: number) {
  const date = [new Date(EPOCH / 1000).toUTCString()];
  const reset = [String(EPOCH / SECOND + Math.ceil(0.85 + ahead))];
  return [0.85, 1.2].map((sent, index) => ({
    sent: sent * SECOND,
    answered: (sent + 0.02) * SECOND,
    headers: headers({ date, reset, remaining: [String(99 - index)] }),
  }));
}

const RECORDED: Sequence = {
  steps: exchanges(...answered(61.6)).map((each) => ({ at: each.sent - 0.85 * SECOND, exchanges: [each] })),
  pace: 'as recorded',
  window: 61.6 * SECOND,
  shows: true,
  isCertain: true,
};

test('a marker that still lies as far ahead is not mended, though clocks may excuse it now', () => {
  const { exitCode, text } = outcomeOf('HDR-7', RECORDED, traceOf(answered(61.6)));
  expect([exitCode, text]).toEqual([3, expect.stringContaining('as far ahead')]);
  expect(outcomeOf('HDR-7', RECORDED, traceOf(answered(60)))).toMatchObject({ exitCode: 0 });
});

test('where the same is named with other numbers, those of the whole run are told', () => {
  const late = traceOf(answered(99));
  const named = outcomeOf('HDR-7', RECORDED, late);
  expect(named).toMatchObject({ exitCode: 1, text: expect.stringMatching(/\d+ s later/) });
  const [now = ''] = /X-RateLimit-Reset.*(?=\.)/.exec(named.text) ?? [];
  const summary = `${now.replace(/ on reads$/, '').replace(/\d+ s/, '71 s')}.`;
  expect(outcomeOf('HDR-7', RECORDED, late, { summary }).text.split('\n')[0]).toBe(
    `HDR-7 still fails: No conforming deployment gives these answers. The run said: ${summary}`,
  );
});
