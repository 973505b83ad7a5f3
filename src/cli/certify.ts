import { dirname } from 'node:path';
import type { RequirementId } from '../catalogue/requirement.ts';
import { beforeCertify } from '../doctor/diagnosis-text.ts';
import type { RunOptions } from '../drive/run.ts';
import type { Reporter } from '../report/formats.ts';
import { printable } from '../report/printable.ts';
import type { Report } from '../report/report.ts';
import { ENDING_SIGNALS } from './ending-signals.ts';
import { runSuites } from './engine.ts';
import { failuresInTheEnd, failureText } from './failure-text.ts';
import { planJson, planText } from './plan-text.ts';
import { makeRunFolder } from './prepare-run.ts';
import { printReport, type ReportDisplay, reportsText, shownPath } from './print-report.ts';
import { showProgress } from './progress.ts';
import { superviseRun } from './supervise-run.ts';

export interface RunDisplay extends ReportDisplay {
  /** Only print the plan; send nothing. */
  readonly dryRun: boolean;
  /** Print answers with a surprising status, and their bodies. */
  readonly verbose: boolean;
  /** The reports to write; none: all. */
  readonly reporters: readonly Reporter[];
}

/**
 * Carries out a prepared run, from the printed plan to the printed verdict, and returns the exit code: 0 conforms, 1
 * does not conform, 3 incomplete or inconclusive. SIGINT, SIGTERM and SIGHUP end the run in order: the trace is
 * complete, and the report says that the run was interrupted.
 *
 * @param bail end the run after so many failures; 0: never
 * @throws UsageError, EngineError, JudgingEnded
 */
export async function certify(run: RunOptions, display: RunDisplay, bail = 0): Promise<number> {
  const say = (text: string): void => {
    if (!display.quiet && !display.json) process.stdout.write(`${text}\n`);
  };
  if (display.dryRun) {
    const plan = display.json ? planJson(run.plan, run.header) : planText(run.plan, run.header, display.verbose);
    process.stdout.write(`${plan}\n`);
    return 0;
  }
  makeRunFolder(dirname(run.traceFile));
  const report = await carryOut(run, display, {
    bail,
    announce: () => say(planText(run.plan, run.header, display.verbose)),
  });
  printReport(report, display, shownPath(run.traceFile));
  say(reportsText(run.traceFile));
  const counted = run.header.command === 'check' && report.result.obstacle === null ? report.conditions.requests : 0;
  for (const line of beforeCertify('check', counted)) say(line);
  return report.result.exitCode;
}

async function carryOut(
  run: RunOptions,
  display: RunDisplay,
  { bail, announce }: { readonly bail: number; readonly announce: () => void },
): Promise<Report> {
  const progress = display.quiet ? null : showProgress(run.plan, run.header.scale);
  const shown = new Set<RequirementId>();
  const supervision = superviseRun(run, {
    onProgress(message) {
      if (message.type === 'surprise') progress?.print(printable(message.text));
      progress?.see(message);
    },
    onFailure(proved) {
      if (proved.named) shown.add(proved.verdict.id);
      progress?.print(failureText(proved));
    },
    // Before the reports are written: nobody waits for a file to hear of a failure.
    onJudged(report) {
      // Beside the summary, which lists every failure, it would be told twice.
      if (!display.json) return;
      for (const text of failuresInTheEnd(report, shown)) progress?.print(text);
    },
    bail,
    reporters: display.reporters,
  });
  const interrupt = (): void => {
    supervision.interrupt();
    progress?.print(
      `Ending the run in order. A second signal ends it at once; then judge what was recorded: judge ${shownPath(run.traceFile)}`,
    );
  };
  for (const signal of ENDING_SIGNALS) process.once(signal, interrupt);
  try {
    announce();
    await runSuites({ ...run, verbose: display.verbose });
    return await supervision.report;
  } finally {
    for (const signal of ENDING_SIGNALS) process.removeListener(signal, interrupt);
    progress?.end();
    await supervision.close();
  }
}
