import { describe, expect, test } from 'vitest';
import { BROKEN, CONFORMING, headers, type Sketch } from './trace-builder.test-support.ts';
import { conclude } from './verdicts.test-support.ts';

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
