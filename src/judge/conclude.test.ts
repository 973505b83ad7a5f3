import { describe, expect, test } from 'vitest';
import { REQUIREMENTS } from '../catalogue/requirements.ts';
import { leftOutText } from '../trace/left-out.ts';
import type { NoteLine } from '../trace/trace.ts';
import { CONFORMING, headers, limitsThat, type Sketch, type TraceOptions } from './trace-builder.test-support.ts';
import { conclude } from './verdicts.test-support.ts';

const note = (code: NoteLine['code'], experiment: string | null = null, text = ''): NoteLine => ({
  type: 'note',
  time: 0,
  code,
  experiment,
  text,
});
const planned = (id: string, requirements: (typeof REQUIREMENTS)[number]['id'][], omitted: string | null = null) => ({
  id,
  requirements,
  keys: [],
  requests: 1,
  start: 0,
  seconds: 1,
  omitted,
});
const BROKEN: readonly Sketch[] = [...CONFORMING, { status: 404, fault: 'missing', headers: headers({ limit: [] }) }];

describe('the whole', () => {
  test('a conforming run conforms and can be certified, without a 500', () => {
    expect(conclude(CONFORMING)).toMatchObject({
      overall: 'conforms',
      exitCode: 0,
      headline: 'conforms',
      certifiable: { yes: true, reasons: [] },
    });
  });

  test('one failure decides, though the run was interrupted', () => {
    expect(conclude(BROKEN, { outcome: 'interrupted' })).toMatchObject({ overall: 'does not conform', exitCode: 1 });
  });

  test('what could not be decided is exit 3', () => {
    const limits = limitsThat({ 'LIMIT-ATOMIC': 'inconclusive' });
    expect(conclude(CONFORMING, {}, limits)).toMatchObject({ overall: 'inconclusive', exitCode: 3 });
  });

  test('what was not tested conforms, and is not certifiable', () => {
    const limits = limitsThat({ 'LIMIT-KEY': 'not tested' });
    expect(conclude(CONFORMING, {}, limits)).toMatchObject({
      overall: 'conforms',
      exitCode: 0,
      headline: 'conforms, not certifiable: 1 not tested (LIMIT-KEY)',
      certifiable: { yes: false },
    });
  });

  test('nothing judged is never a success', () => {
    const limits = () => ({ opinions: [], observations: [], budgets: [], failure: 'by answers' as const });
    expect(conclude([], {}, limits)).toMatchObject({ overall: 'incomplete', exitCode: 3 });
    expect(conclude(CONFORMING, { header: { selection: [] } })).toMatchObject({ exitCode: 3 });
  });

  test('a scaled, a quick and a partial run certify nothing', () => {
    const yes = (header: TraceOptions['header'] = {}) => conclude(CONFORMING, { header }).certifiable.yes;
    expect(yes()).toBe(true);
    expect(yes({ scale: 30 })).toBe(false);
    expect(yes({ command: 'check' })).toBe(false);
    expect(yes({ selection: REQUIREMENTS.map(({ id }) => id).slice(1) })).toBe(false);
  });

  test('a pass on fewer witnesses than the catalogue asks for is none', () => {
    const limits = limitsThat({ 'LIMIT-R': 'pass' }, { witnesses: 100 });
    const verdict = conclude(CONFORMING, {}, limits).verdicts.find((each) => each.id === 'LIMIT-R');
    expect(verdict).toMatchObject({
      verdict: 'not tested',
      summary: 'only 100 requests test it, but at least 101 are needed',
    });
  });

  test('what the plan left out says what to add', () => {
    const experiments = [planned('polled-write', ['LIMIT-W'], 'the profile names no write operation')];
    const limits = limitsThat({ 'LIMIT-W': 'not tested' });
    const { verdicts } = conclude(CONFORMING, { header: { experiments } }, limits);
    expect(verdicts.find((each) => each.id === 'LIMIT-W')?.remedy).toBe('the profile names no write operation');
  });
});

test('a server that answers a page with 200 to everything breaks what it breaks, each with few proofs', () => {
  const bare = headers({ limit: [], remaining: [], reset: [] });
  const { verdicts } = conclude(CONFORMING.map((each) => ({ ...each, status: 200, headers: bare })));
  const failed = verdicts.filter((each) => each.verdict === 'fail');
  expect(failed.map((each) => each.id)).toEqual([
    ...['AUTH-1', 'AUTH-4', 'AUTH-5', 'AUTH-6', 'STATUS-400', 'STATUS-401', 'STATUS-403', 'STATUS-404', 'HDR-1'],
  ]);
  expect(Math.max(...failed.map((each) => each.proofs.length))).toBeLessThanOrEqual(5);
  for (const id of ['HDR-2', 'HDR-3', 'HDR-6']) {
    expect(verdicts.find((each) => each.id === id)?.verdict).toBe('inconclusive');
  }
});

describe('a run that could not be judged', () => {
  const only = ({ verdicts }: ReturnType<typeof conclude>) => [...new Set(verdicts.map((each) => each.summary))];

  test('a preflight finding is the one cause of everything', () => {
    const result = conclude(BROKEN, { notes: [note('preflight', null, 'nothing listens there')] });
    expect(result).toMatchObject({ overall: 'inconclusive', exitCode: 3, observations: [] });
    expect(result.headline).toBe('inconclusive: nothing listens there');
    expect(only(result)).toEqual(['nothing listens there']);
  });

  test('so is a target that answers nothing', () => {
    const result = conclude([{ failure: 'refused' }, { failure: 'refused' }]);
    expect(result).toMatchObject({ overall: 'inconclusive', conditions: { failures: { refused: 2 }, answered: 0 } });
    expect(only(result)).toEqual(['http://127.0.0.1/api/v1 answered none of 2 requests (refused)']);
  });
});

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

describe('waivers', () => {
  const waiver = { requirement: 'HDR-1', part: '404', reason: 'known', until: '2026-11-21' };

  test('that cover all that could be judged are no pass', () => {
    const result = conclude(BROKEN, { waivers: [{ ...waiver, part: null }], header: { selection: ['HDR-1'] } });
    expect(result).toMatchObject({
      overall: 'incomplete',
      headline: 'incomplete: everything that could be judged is waived, and a waiver is not a pass',
    });
  });

  test('cover the failing part, on the last day too: exit 0, no certificate', () => {
    const result = conclude(BROKEN, { waivers: [waiver] });
    const hdr1 = result.verdicts.find((each) => each.id === 'HDR-1');
    expect(hdr1).toMatchObject({ verdict: 'waived', waiver: { reason: 'known', until: '2026-11-21' } });
    expect(result).toMatchObject({ overall: 'conforms', exitCode: 0, certifiable: { yes: false }, problems: [] });
  });

  test('do not cover another part', () => {
    const both = [...BROKEN, { status: 200, headers: headers({ limit: [] }) }];
    const hdr1 = conclude(both, { waivers: [waiver] }).verdicts.find((each) => each.id === 'HDR-1');
    expect(hdr1?.verdict).toBe('fail');
    expect(hdr1?.parts.filter((each) => each.verdict === 'waived').map((each) => each.name)).toEqual(['404']);
    // The other part is proved first: what is waived is known.
    expect(hdr1?.proofs.map((each) => each.part)).toEqual(['200', '404']);
  });

  test.each([
    [{ ...waiver, until: '2026-11-20' }, BROKEN, 'waiver-expired', 1],
    [waiver, CONFORMING, 'waiver-unmatched', 3],
    [{ ...waiver, part: null }, CONFORMING, 'waiver-unmatched', 3],
    [{ ...waiver, part: '405' }, BROKEN, 'waiver-unmatched', 1],
    [{ ...waiver, requirement: 'HDR-99' }, CONFORMING, 'waiver-unknown', 3],
  ] as const)('in error: %j', (bad, sketches, code, exitCode) => {
    const result = conclude(sketches, { waivers: [bad] });
    expect(result.problems.map((each) => each.code)).toEqual([code]);
    expect(result.exitCode).toBe(exitCode);
  });

  test('are not refuted by what was not judged', () => {
    const unseen = { ...waiver, part: '500' };
    expect(conclude(CONFORMING, { waivers: [unseen] }).problems).toEqual([]);
    expect(conclude(CONFORMING, { waivers: [waiver], header: { selection: ['AUTH-1'] } }).problems).toEqual([]);
  });

  test('what only a waived failure keeps from being judged leaves the run conforming', () => {
    const malformed = [...CONFORMING, { headers: headers({ remaining: ['1.5'] }) }];
    const result = conclude(malformed, { waivers: [{ ...waiver, requirement: 'HDR-2', part: null }] });
    expect(result.verdicts.find((each) => each.id === 'HDR-4')?.suppressedBy).toEqual(['HDR-2']);
    expect(result).toMatchObject({ overall: 'conforms', exitCode: 0 });
  });

  describe('of AUTH-4 and AUTH-5', () => {
    const refused: readonly Sketch[] = CONFORMING.map((each) =>
      each.status === 401 ? { ...each, status: 403 } : each,
    );
    const of = (requirement: string, until: string) => ({ requirement, part: null, reason: 'known', until });
    const status401 = (...waivers: ReturnType<typeof of>[]) =>
      conclude(refused, { waivers }).verdicts.find((each) => each.id === 'STATUS-401');

    test('waive what only follows from them, until the first of them ends', () => {
      const both = [of('AUTH-4', '2027-03-01'), of('AUTH-5', '2027-01-31')];
      expect(status401()).toMatchObject({ verdict: 'fail', followsFrom: ['AUTH-4', 'AUTH-5'] });
      expect(status401(...both)).toMatchObject({
        verdict: 'waived',
        waiver: { reason: 'follows from AUTH-4 and AUTH-5, which are waived', until: '2027-01-31' },
      });
      expect(status401(...both)?.parts.map((each) => each.verdict)).not.toContain('fail');
      expect(conclude(refused, { waivers: both })).toMatchObject({ counts: { fail: 0 }, certifiable: { yes: false } });
    });

    test('leave it failing where one of them still fails', () => {
      expect(status401(of('AUTH-4', '2027-01-31'))?.verdict).toBe('fail');
      expect(status401(of('AUTH-4', '2027-01-31'), of('AUTH-5', '2026-01-31'))?.verdict).toBe('fail');
    });
  });
});
