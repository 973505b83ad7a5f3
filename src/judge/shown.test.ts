import { expect, test } from 'vitest';
import type { NoteLine, Trace } from '../trace/trace.ts';
import { judge } from './conclude.ts';
import { cutAt } from './shown.ts';
import { limitsThat, traceOf } from './trace-builder.test-support.ts';

const shown = (id: string, time: number): NoteLine => ({
  type: 'note',
  time,
  code: 'failure-shown',
  experiment: null,
  text: id,
});

test('a cut knows what was answered by then, and that the rest was sent', () => {
  const trace = traceOf([
    { sent: 0, answered: 500 },
    { sent: 400, answered: 900 },
    { sent: 1000, answered: 1500 },
  ]);
  const cut = cutAt(trace, 600);
  expect(cut.exchanges.map(({ seq }) => seq)).toEqual([1]);
  expect(cut.unanswered).toEqual([expect.objectContaining({ seq: 2, sent: 400 })]);
  expect(cut.unanswered[0]).not.toHaveProperty('answered');
  expect(cut.footer).toBeNull();
});

/** Fails LIMIT-R as long as no more than so many answers are known. */
const failsUpTo = (most: number) => (trace: Trace) =>
  limitsThat(trace.exchanges.length <= most ? { 'LIMIT-R': 'fail' } : {}, { summary: 'one too many', proofs: [] })();

const verdict = (trace: Trace, most: number) =>
  judge(trace, failsUpTo(most)).verdicts.find(({ id }) => id === 'LIMIT-R');
const two = (notes: readonly NoteLine[]) => traceOf([{ sent: 0 }, { sent: 1000 }], { notes });

test('a failure that was shown stays, with what proved it, though the whole run is judged otherwise', () => {
  expect(verdict(two([]), 1)?.verdict).not.toBe('fail');
  const kept = verdict(two([shown('LIMIT-R', 600)]), 1);
  expect(kept).toMatchObject({ verdict: 'fail', summary: 'one too many' });
  expect(kept?.notes.at(-1)).toContain('0.0 s after the start of the run');
  expect(judge(two([shown('LIMIT-R', 600)]), failsUpTo(1))).toMatchObject({ overall: 'does not conform', exitCode: 1 });
});

test('one that the trace does not bear out by then shows nothing', () => {
  expect(verdict(two([shown('LIMIT-R', 1500)]), 1)?.verdict).not.toBe('fail');
  expect(verdict(two([shown('LIMIT-R', 600), shown('no-requirement', 600)]), 0)?.verdict).not.toBe('fail');
});

test('that some limit is broken stays under the name that the whole run gives it, or else under that of the moment', () => {
  const failing = (most: number) => {
    const { verdicts } = judge(two([shown('limits', 600)]), failsUpTo(most));
    return verdicts.filter((each) => each.verdict === 'fail').map(({ id }) => id);
  };
  expect(failing(1)).toEqual(['LIMIT-R']);
  expect(failing(0)).toEqual([]);
  const named = limitsThat({ 'LIMIT-W': 'fail' }, { summary: 'one too many', proofs: [] });
  const { verdicts } = judge(two([shown('limits', 600)]), (trace) =>
    trace.exchanges.length > 1 ? named() : failsUpTo(1)(trace),
  );
  expect(verdicts.filter((each) => each.verdict === 'fail').map(({ id }) => id)).toEqual(['LIMIT-W']);
});

test('it stays where the run then meets an obstacle', () => {
  const obstacle: NoteLine = {
    type: 'note',
    time: 2000,
    code: 'preflight',
    experiment: null,
    text: 'key-2 is refused',
  };
  const { verdicts, exitCode } = judge(two([shown('LIMIT-R', 600), obstacle]), failsUpTo(1));
  expect(verdicts.filter((each) => each.verdict === 'fail').map(({ id }) => id)).toEqual(['LIMIT-R']);
  expect(exitCode).toBe(1);
});
