import { expect, test } from 'vitest';
import type { RequirementId } from '../catalogue/requirement.ts';
import { REQUIREMENTS } from '../catalogue/requirements.ts';
import { overallOf } from './overall.ts';
import type { VerdictName } from './verdict.ts';

const FALLIBLE: readonly RequirementId[] = REQUIREMENTS.filter(({ level }) => level !== 'observed').map(({ id }) => id);

/** The headline of a run that selected these requirements, each of which has this verdict. */
function headlineOf(selected: readonly RequirementId[], verdict: VerdictName): string {
  const findings = {
    verdicts: selected.map((id) => ({ id, verdict: id === selected[0] ? 'pass' : verdict, suppressedBy: [] })),
    unselected: REQUIREMENTS.map(({ id }) => id).filter((id) => !selected.includes(id)),
    counts: { pass: 1, fail: 0, waived: 0 },
    ...{ obstacle: null, interrupted: false, scaled: false, problems: [] },
  };
  return overallOf(findings as unknown as Parameters<typeof overallOf>[0], 'certify').headline;
}

test.each<[number, VerdictName, RegExp]>([
  [14, 'pass', /(\d+) not selected, not counting (STATUS-500), which no certificate needs$/],
  [FALLIBLE.length, 'not tested', /(\d+) not tested, not counting (STATUS-500), which no certificate needs$/],
])('what is left out of %d requirements adds up', (count, verdict, form) => {
  const selected = FALLIBLE.filter((id) => count === FALLIBLE.length || id !== 'STATUS-500').slice(0, count);
  const headline = headlineOf(selected, verdict);
  expect(headline).toMatch(form);
  const [, left] = form.exec(headline) ?? [];
  const decided = verdict === 'pass' ? count : 1;
  expect(decided + Number(left) + 1).toBe(FALLIBLE.length);
});

test('a run that lacks only what a certificate does without is certifiable', () => {
  expect(
    headlineOf(
      FALLIBLE.filter((id) => id !== 'STATUS-500'),
      'pass',
    ),
  ).toBe('conforms');
});
