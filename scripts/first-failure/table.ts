import type { RequirementId } from '../../src/catalogue/requirement.ts';

/** What one run until the first failure showed. Seconds. */
export interface Told {
  readonly defect: string;
  /** Null where none failed. */
  readonly requirement: RequirementId | null;
  /** The deployment breaks it, or it may follow from what it breaks. */
  readonly right: boolean;
  /** Told while the run lasted; else with its report, at the end of the process. */
  readonly early: boolean;
  /** From the start of the process to the failure on the terminal. */
  readonly shown: number;
  /** From the answer from which the judge could prove it to the failure on the terminal. */
  readonly late: number | null;
  /** From the failure on the terminal to the end of the process. */
  readonly ended: number;
}

/** Seconds after the answer from which it can be proved, and from there to the end of the process, that are counted. */
const SOON = 2;

/** What is told later than so many seconds after that answer stands in a line of its own. */
const LATE = 5;

/** The runs in a few figures, and one line for each that was told late or wrongly, in Markdown. */
export function table(told: readonly Told[]): string {
  const odd = told.filter(({ late, right }) => late === null || late > LATE || !right);
  const early = told.filter((each) => each.early);
  const shown = told.map((each) => each.shown);
  const late = told.flatMap((each) => each.late ?? []);
  const ended = early.map((each) => each.ended);
  return [
    `- The suite showed ${early.length} of ${told.length} defects during the run, the last one ${text(Math.max(...early.map((each) => each.shown)))} s after the start of the process. The median of all is ${text(median(shown))} s.`,
    `- It showed ${late.filter((each) => each <= SOON).length} of ${told.length} within ${SOON} s of the answer that made them provable. The median was ${text(median(late))} s, the longest ${text(Math.max(...late))} s.`,
    `- After these ${early.length}, the process ended within ${SOON} s in ${ended.filter((each) => each <= SOON).length} cases. The median was ${text(median(ended))} s, the longest ${text(Math.max(...ended))} s.`,
    '',
    `Shown over ${LATE} s later, or under a requirement that the defect does not break:`,
    '',
    '| Defect | First failure | Shown after | Provable before | Ended after |',
    '| --- | --- | --- | --- | --- |',
    ...odd.map(
      (each) =>
        `| ${each.defect} | ${firstFailure(each)} | ${text(each.shown)} | ${text(each.late)} | ${each.early ? text(each.ended) : ''} |`,
    ),
  ].join('\n');
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function text(seconds: number | null): string {
  return seconds === null || !Number.isFinite(seconds) ? '' : seconds.toFixed(1);
}

function firstFailure({ requirement, right, early }: Told): string {
  if (requirement === null) return 'nothing fails';
  return `${requirement}${right ? '' : ', which it does not break'}${early ? '' : ' (in the end)'}`;
}
