import { messageOf } from '../caught.ts';
import type { RunOptions } from '../drive/run.ts';
import { type DriveMessage, openHostChannel } from '../drive/run-channel.ts';
import type { Proved } from '../judge/so-far.ts';
import type { Reporter } from '../report/formats.ts';
import type { Report } from '../report/report.ts';
import { concludeRun } from './conclude-run.ts';
import { openJudge } from './judge-apart.ts';

/** Receives the progress of the drive, and of the judge after the drive has ended. */
export type RunMessage = DriveMessage | { readonly type: 'judged'; readonly share: number };

/** What is reported during a run and written at its end. */
export interface RunView {
  onProgress(message: RunMessage): void;
  /** A requirement fails, and no later answer can change that. */
  onFailure(proved: Proved): void;
  /** The whole run has been judged; its reports are not written yet. */
  onJudged?(report: Report): void;
  /** The run ends in order after this many failures; 0: never. */
  readonly bail: number;
  /** Reports to write; none: all. */
  readonly reporters: readonly Reporter[];
}

/** The main thread's part in a run that the test runner carries out in a worker. */
export interface Supervision {
  /** Ends the run in order. @param reason why it ends early, for the trace */
  interrupt(reason?: string): void;
  /** The report, once the trace is complete and judged and all formats are written. @throws UsageError, JudgingEnded */
  readonly report: Promise<Report>;
  close(): Promise<void>;
}

/** Real ms between two requests to end the run: a request before the drive listens would be lost. */
const INTERRUPT_EVERY = 50;

/** Why a run ended early. */
const ENDED_EARLY = 'ended early by --bail, after a failure';

/** Judges a run while it lasts and after it has ended, and passes the verdicts to the tests of the suites. */
export function superviseRun(run: RunOptions, view: RunView): Supervision {
  const { promise, resolve, reject } = Promise.withResolvers<Report>();
  // If no test ran, nobody asks for a report.
  promise.catch(() => {});
  const channel = openHostChannel(run.traceFile, (message) => {
    view.onProgress(message);
    if (message.type === 'shown') {
      shown += 1;
      view.onFailure(message.proved);
      if (shown === view.bail) interrupt(ENDED_EARLY);
    }
    if (message.type !== 'ended') return;
    if (message.error === null) void conclude();
    else reject(new Error(message.error));
  });
  const judge = openJudge(
    run.traceFile,
    { onProved: (proved) => channel.send({ type: 'proved', proved }), bail: view.bail },
    (share) => view.onProgress({ type: 'judged', share }),
  );
  let shown = 0;
  let timer: NodeJS.Timeout | null = null;
  const interrupt = (reason: string): void => {
    const ask = (): void => channel.send({ type: 'interrupt', reason });
    ask();
    timer ??= setInterval(ask, INTERRUPT_EVERY);
  };
  const endInterrupting = (): void => {
    if (timer) clearInterval(timer);
  };

  async function conclude(): Promise<void> {
    endInterrupting();
    try {
      const judged = async (): Promise<Report> => {
        const report = await judge.report();
        view.onJudged?.(report);
        return report;
      };
      const report = await concludeRun(run.traceFile, judged, view.reporters);
      resolve(report);
      channel.send({ type: 'concluded', verdicts: report.verdicts });
    } catch (error) {
      reject(error);
      channel.send({ type: 'concluded', verdicts: { error: messageOf(error) } });
    }
  }

  return {
    report: promise,
    interrupt: (reason = 'a signal ended it') => interrupt(reason),
    async close() {
      endInterrupting();
      channel.close();
      await judge.close();
    },
  };
}
