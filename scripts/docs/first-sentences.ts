import { readFileSync } from 'node:fs';
import { wholeProfile } from '../../src/accuracy/virtual/draw-profile.ts';
import { virtualRun } from '../../src/accuracy/virtual/virtual-run.ts';
import { judgeTrace } from '../../src/judge/judge-trace.ts';
import { conductOf, defectNamed } from '../../src/reference/conduct.ts';
import { findingsOf } from '../../src/report/findings.ts';
import { makeReport } from '../../src/report/make-report.ts';
import type { Report } from '../../src/report/report.ts';
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

/** Each defect is run so many times, with seeds from 1 on. */
export const RUNS = 8;

/** What a report says first of a defect. */
export interface FirstSentence {
  readonly component: string;
  readonly defect: string;
  readonly requirement: string;
  readonly sentence: string;
  /** Of how many runs the report begins so, but for the numbers. */
  readonly alike: number;
}

/** What the report of a run begins with: the requirement and the sentence; empty where nothing fails. */
export type Beginning = Pick<FirstSentence, 'requirement' | 'sentence'>;

/** What a report of the defect says first: the requirement and the sentence of its first failure. */
export async function beginningOf(defect: string, seed: number): Promise<Beginning> {
  const [first] = findingsOf(await reportOf(defect, seed));
  return { requirement: first?.verdict.id ?? '', sentence: first?.sentence ?? '' };
}

/** The report of a run of the whole plan against the defect, in virtual time. */
export async function reportOf(defect: string, seed: number): Promise<Report> {
  const { trace } = await virtualRun({
    profile: wholeProfile(),
    keys: 4,
    seed,
    epoch: Date.UTC(2026, 10, 21, 8, 30, 17) * 1000,
    conduct: conductOf(null, defect),
  });
  return makeReport(trace, judgeTrace(trace), '');
}

/** Whether two reports begin alike, but for the numbers, and for whether both kinds tell it. */
export function isAlike(one: Beginning, other: Beginning): boolean {
  const bare = ({ sentence }: Beginning): string =>
    sentence.replace(/\d{3,}/g, 'N').replace(/ \((reads|writes) only\)/, '');
  return one.requirement === other.requirement && bare(one) === bare(other);
}

/** What most reports of a defect begin with. */
export async function firstSentence(component: string, defect: string): Promise<FirstSentence> {
  const all: Beginning[] = [];
  for (let seed = 1; seed <= RUNS; seed++) all.push(await beginningOf(defect, seed));
  const [commonest] = all
    .map((each) => ({ ...each, alike: all.filter((other) => isAlike(each, other)).length }))
    .sort((one, other) => other.alike - one.alike);
  return { component, defect, ...(commonest ?? { requirement: '', sentence: '', alike: 0 }) };
}

/** The table, from what `scripts/first-sentences.ts` has recorded. */
export function sentenceTable(file: string): string {
  const rows = JSON.parse(readFileSync(file, 'utf8')) as FirstSentence[];
  return table(
    ['Defect', 'The first sentence of the report', `Of ${RUNS} runs`],
    rows.map(({ defect, requirement, sentence, alike }) => [
      code(defectNamed(defect).name),
      `${requirement}: ${sentence}`,
      String(alike),
    ]),
  );
}
