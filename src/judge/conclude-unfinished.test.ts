import { describe, expect, test } from 'vitest';
import { leftOutText } from '../trace/left-out.ts';
import type { NoteLine } from '../trace/trace.ts';
import { CONFORMING, note, planned, type Sketch } from './trace-builder.test-support.ts';
import { conclude } from './verdicts.test-support.ts';

describe('an interrupted run', () => {
  test.each(['interrupted', 'cut short'] as const)(
    '%s: incomplete, and what was not finished is inconclusive',
    (outcome) => {
      const result = conclude(CONFORMING, { outcome });
      expect(result).toMatchObject({ overall: 'incomplete', exitCode: 3, interrupted: true, counts: { pass: 0 } });
    },
  );

  test('what had been finished stands', () => {
    const experiments = [planned('authentication', ['AUTH-1', 'HDR-2']), planned('polled', ['HDR-2'])];
    const notes = ['authentication', 'polled'].map((id) => note('experiment-started', id));
    notes.push(note('experiment-ended', 'authentication'));
    const { verdicts } = conclude(CONFORMING, { header: { experiments }, notes, outcome: 'interrupted' });
    const of = (id: string) => verdicts.find((each) => each.id === id)?.verdict;
    expect([of('AUTH-1'), of('HDR-2')]).toEqual(['pass', 'inconclusive']);
  });

  test('what had enough answers stands, though more were to come at the end', () => {
    const experiments = [
      planned('authentication', ['AUTH-1', 'HDR-2']),
      planned('polled', ['HDR-2']),
      planned('further', ['AUTH-1', 'HDR-2', 'STATUS-500']),
    ];
    const notes = [note('experiment-started', 'authentication'), note('experiment-ended', 'authentication')];
    const result = conclude(CONFORMING, { header: { experiments }, notes, outcome: 'interrupted' });
    const of = (id: string) => result.verdicts.find((each) => each.id === id);
    expect(of('AUTH-1')).toMatchObject({ verdict: 'pass', notes: [expect.stringContaining('the run ended before')] });
    expect([of('HDR-2')?.verdict, of('STATUS-500')?.verdict]).toEqual(['inconclusive', 'inconclusive']);
    expect(result).toMatchObject({ overall: 'incomplete', exitCode: 3 });
    const first = conclude(CONFORMING.slice(0, 1), { header: { experiments }, notes, outcome: 'interrupted' });
    expect(first.verdicts.find(({ id }) => id === 'AUTH-1')?.verdict).toBe('inconclusive');
  });

  test.each([
    ['ended early by --bail, after a failure', 'run again without --bail'],
    ['a signal ended it', 'run again to the end'],
  ])('%s: this is the reason, and not a request that was left out until then', (why, remedy) => {
    const experiments = [planned('authentication', ['AUTH-1']), planned('status', ['STATUS-404'])];
    const text = leftOutText('control', 'get-more', 'mk-more, which prepares other operations, answered 429');
    const notes = [note('experiment-failed', 'authentication', text), note('interrupted', null, why)];
    const { verdicts } = conclude(CONFORMING, { header: { experiments }, notes, outcome: 'interrupted' });
    const summary = `interrupted (${why}): the run ended before this was finished`;
    for (const id of ['AUTH-1', 'STATUS-404', 'LIMIT-R']) {
      expect(verdicts.find((each) => each.id === id)).toMatchObject({ verdict: 'inconclusive', summary, remedy });
    }
  });

  test('an experiment that broke off keeps its requirements from passing', () => {
    const experiments = [planned('status', ['STATUS-404'])];
    const failed = note('experiment-failed', 'status', 'the disk is full');
    const verdict = (notes: NoteLine[]) =>
      conclude(CONFORMING, { header: { experiments }, notes }).verdicts.find((each) => each.id === 'STATUS-404');
    expect(verdict([failed])).toMatchObject({
      verdict: 'inconclusive',
      summary: 'the experiment status stopped: the disk is full',
    });
    const whole = [note('experiment-started', 'status'), failed, note('experiment-ended', 'status')];
    expect(verdict(whole)?.verdict).toBe('pass');
  });
});

describe('a run that is said to be complete', () => {
  const experiments = [planned('authentication', ['AUTH-1']), planned('polled', ['HDR-2'])];
  const whole = experiments.flatMap(({ id }) => [note('experiment-started', id), note('experiment-ended', id)]);
  const verdicts = (notes: readonly NoteLine[], command: string) => {
    const result = conclude(CONFORMING, { header: { experiments, command }, notes });
    return ['AUTH-1', 'HDR-2'].map((id) => result.verdicts.find((each) => each.id === id)?.verdict);
  };

  test('shows the beginning and the end of each experiment, or what rests on it is open', () => {
    expect(verdicts(whole, 'certify')).toEqual(['pass', 'pass']);
    for (const [index] of whole.entries()) {
      const expected = index < 2 ? ['inconclusive', 'pass'] : ['pass', 'inconclusive'];
      expect(verdicts(whole.toSpliced(index, 1), 'certify')).toEqual(expected);
    }
  });

  test('notes none where load generators drove it', () => {
    expect(verdicts([], 'load')).toEqual(['pass', 'pass']);
  });
});

describe('a target that stops answering', () => {
  const experiments = [planned('authentication', ['AUTH-1']), planned('polled', ['HDR-2'])];
  const lost = (count: number): Sketch[] =>
    Array.from({ length: count }, () => ({ experiment: 'polled', failure: 'refused' }));
  const back: Sketch = { experiment: 'polled' };
  const verdicts = (sketches: readonly Sketch[]) => {
    const notes = experiments.flatMap(({ id }) => [note('experiment-started', id), note('experiment-ended', id)]);
    const result = conclude([...CONFORMING, ...sketches], { header: { experiments }, notes });
    return ['AUTH-1', 'HDR-2'].map((id) => result.verdicts.find((each) => each.id === id)?.verdict);
  };

  test('leaves open what its silence cut off, and nothing else', () => {
    expect(verdicts([back, ...lost(10)])).toEqual(['pass', 'inconclusive']);
  });

  test('is told, too, if it was silent only where nothing is judged: it may have broken down', () => {
    const observed = [...experiments, planned('observed', ['LIMIT-O1'])];
    const notes = observed.flatMap(({ id }) => [note('experiment-started', id), note('experiment-ended', id)]);
    const sketches = [...CONFORMING, ...lost(10).map((each) => ({ ...each, experiment: 'observed' }))];
    const result = conclude(sketches, { header: { experiments: observed }, notes });
    const open = result.verdicts.find(({ id }) => id === 'STATUS-NO5XX');
    expect(open).toMatchObject({
      verdict: 'inconclusive',
      summary: expect.stringMatching(/^the target stopped answering/),
    });
    expect(result.verdicts.find(({ id }) => id === 'AUTH-1')?.verdict).toBe('pass');
  });

  test('has only dropped a few requests where it answered again, or few were sent', () => {
    expect(verdicts([...lost(10), back])).toEqual(['pass', 'pass']);
    expect(verdicts([back, ...lost(9)])).toEqual(['pass', 'pass']);
  });

  test('has broken one connection where a burst down it and the request after it are lost', () => {
    const burst = lost(30).map((each) => ({ ...each, variation: 'pipelined' }));
    expect(verdicts([back, ...burst, ...lost(1)])).toEqual(['pass', 'pass']);
    expect(verdicts([back, ...burst, ...lost(10)])).toEqual(['pass', 'inconclusive']);
  });
});
