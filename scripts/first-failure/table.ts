import type { RequirementId } from '../../src/catalogue/requirement.ts';

/** What one run until the first failure showed. Seconds. */
export interface Told {
  readonly defect: string;
  /** Null where none was told before the run had ended. */
  readonly requirement: RequirementId | null;
  /** The deployment breaks it, or it may follow from what it breaks. */
  readonly right: boolean;
  /** From the start of the process to the failure on the terminal. */
  readonly shown: number | null;
  /** From the answer from which the judge could prove it to the failure on the terminal. */
  readonly late: number | null;
  /** From the failure on the terminal to the end of the process. */
  readonly ended: number | null;
}

/** Seconds after the answer from which it can be proved: what is told later stands in a line of its own. */
const SOON = 2;

/** The runs in a few figures, and one line for each that was told late or wrongly, in Markdown. */
export function table(told: readonly Told[]): string {
  const odd = told.filter(({ late, right }) => late === null || late > SOON || !right);
  const shown = told.flatMap((each) => each.shown ?? []);
  const late = told.flatMap((each) => each.late ?? []);
  const ended = told.flatMap((each) => each.ended ?? []);
  return [
    `- Of ${told.length} defects ${shown.length} were told while the run lasted, the median ${text(median(shown))} s after the start of the process, the last ${text(Math.max(...shown))} s.`,
    `- ${late.filter((each) => each <= SOON).length} of them within ${SOON} s of the answer from which the judge could prove it; the median was ${text(median(late))} s, the most ${text(Math.max(...late))} s.`,
    `- The process ended after ${text(median(ended))} s more, ${text(Math.max(...ended))} s at most.`,
    '',
    'Told later than that, or under a requirement that the defect does not break:',
    '',
    '| Defect | First failure | Shown after | Provable before | Ended after |',
    '| --- | --- | --- | --- | --- |',
    ...odd.map(
      (each) =>
        `| ${each.defect} | ${each.requirement ?? 'in the end'}${each.requirement === null || each.right ? '' : ', which it does not break'} | ${text(each.shown)} | ${text(each.late)} | ${text(each.ended)} |`,
    ),
  ].join('\n');
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function text(seconds: number | null): string {
  return seconds === null || !Number.isFinite(seconds) ? '' : seconds.toFixed(1);
}
