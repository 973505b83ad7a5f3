import type { RunOptions } from '../drive/run.ts';
import { type DriveMessage, openHostChannel } from '../drive/run-channel.ts';
import type { Proved } from '../judge/so-far.ts';
import type { Reporter } from '../report/formats.ts';
import type { Report } from '../report/report.ts';
import { concludeRun } from './conclude-run.ts';
import { openJudge } from './judge-apart.ts';

/** What the drive says, and how far the judge has come when the drive has ended. */
export type RunMessage = DriveMessage | { readonly type: 'judged'; readonly share: number };

/** What is told while a run lasts, and written in the end. */
export interface RunView {
  onProgress(message: RunMessage): void;
  /** A requirement fails, and nothing that follows can undo it. */
  onFailure(proved: Proved): void;
  /** The run ends in order after so many failures; 0: never. */
  readonly bail: number;
  /** Reports to write; none: all. */
  readonly reporters: readonly Reporter[];
}

/** The main thread's part in a run that the test runner carries out in a worker. */
export interface Supervision {
  /** Ends the run in order. @param reason why it ends before its time, as its trace says it */
  interrupt(reason?: string): void;
  /** The report, when the trace is whole and judged, and all formats are written. @throws UsageError, JudgingEnded */
  readonly report: Promise<Report>;
  close(): Promise<void>;
}

/** Real ms between two requests to end the run: one that comes before the drive listens is not heard. */
const INTERRUPT_EVERY = 50;

/** Why a run was ended before its time. */
const ENDED_EARLY = 'ended early after a failure';

/** Judges a run while it lasts and once it has ended, and hands the verdicts to the tests of the suites. */
export function superviseRun(run: RunOptions, view: RunView): Supervision {
  const { promise, resolve, reject } = Promise.withResolvers<Report>();
  // Where no test ran, nobody asks for a report.
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
      const report = await concludeRun(run.traceFile, () => judge.report(), view.reporters);
      resolve(report);
      channel.send({ type: 'concluded', verdicts: report.verdicts });
    } catch (error) {
      reject(error);
      channel.send({ type: 'concluded', verdicts: { error: error instanceof Error ? error.message : String(error) } });
    }
  }

  return {
    report: promise,
    interrupt: (reason = 'the run ended early') => interrupt(reason),
    async close() {
      endInterrupting();
      channel.close();
      await judge.close();
    },
  };
}
