import { describe, expect, test } from 'vitest';
import { REQUIREMENTS } from '../catalogue/requirements.ts';
import {
  BROKEN,
  CONFORMING,
  headers,
  limitsThat,
  note,
  planned,
  type TraceOptions,
} from './trace-builder.test-support.ts';
import { conclude } from './verdicts.test-support.ts';

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
      headline:
        'conforms, not certifiable: 1 not tested (LIMIT-KEY), not counting STATUS-500, which no certificate needs',
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
