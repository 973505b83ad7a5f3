import { readFileSync } from 'node:fs';
import { wholeProfile } from '../../src/accuracy/virtual/draw-profile.ts';
import { virtualRun } from '../../src/accuracy/virtual/virtual-run.ts';
import { judgeTrace } from '../../src/judge/judge-trace.ts';
import { conductOf, defectNamed } from '../../src/reference/conduct.ts';
import { findingsOf } from '../../src/report/findings.ts';
import { makeReport } from '../../src/report/make-report.ts';
import { code, table } from './markdown.ts';

/** Two defects of each kind, and the part of a deployment that is wrong with them. */
export const SHOWN: readonly (readonly [component: string, defects: readonly [string, string]])[] = [
  ['authentication', ['no-key-403', 'bearer-rejected-on-writes']],
  ['status', ['missing-410', 'refused-503']],
  ['headers', ['no-headers-on-404', 'header-joined']],
  ['limit', ['limit-minus-one', 'same-limit-for-writes']],
  ['Remaining', ['remaining-before-counting', 'remaining-one-too-low']],
  ['Reset', ['seconds-to-go', 'hour-ahead']],
  ['window', ['window-of-57-seconds', 'token-bucket']],
  ['concurrency', ['read-then-write', 'cold-create']],
  ['scope', ['labels-not-limited', 'per-group']],
  ['keys and kinds', ['one-for-all', 'shared-kinds']],
];

/** What a report says first of a defect. */
export interface FirstSentence {
  readonly component: string;
  readonly defect: string;
  readonly requirement: string;
  readonly sentence: string;
}

/** Runs the plan against the defect in virtual time, and reads the report's first failure. */
export async function firstSentence(component: string, defect: string): Promise<FirstSentence> {
  const { trace } = await virtualRun({
    profile: wholeProfile(),
    keys: 4,
    seed: 8,
    epoch: Date.UTC(2026, 10, 21, 8, 30, 17) * 1000,
    conduct: conductOf(null, defect),
  });
  const [first] = findingsOf(makeReport(trace, judgeTrace(trace), ''));
  return { component, defect, requirement: first?.verdict.id ?? '', sentence: first?.sentence ?? '' };
}

/** The table, from what `scripts/first-sentences.ts` has recorded. */
export function sentenceTable(file: string): string {
  const rows = JSON.parse(readFileSync(file, 'utf8')) as FirstSentence[];
  return table(
    ['Defect', 'The first sentence of the report'],
    rows.map(({ defect, requirement, sentence }) => [code(defectNamed(defect).name), `${requirement}: ${sentence}`]),
  );
}
