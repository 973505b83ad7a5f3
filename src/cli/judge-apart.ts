import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { OnShare } from '../judge/judgement.ts';
import type { Proved } from '../judge/so-far.ts';
import type { Report } from '../report/report.ts';
import { ENDING_SIGNALS, Interrupted } from './ending-signals.ts';

/** A signal came while a trace was being judged: exit code 3. The message says how to judge it again. */
export class JudgingEnded extends Interrupted {
  override name = 'JudgingEnded';
}

/**
 * The task of the worker `judge-worker`: follow the trace while it is written, or wait for the request to make the
 * report.
 */
export interface JudgeJob {
  readonly traceFile: string;
  readonly follow: boolean;
  /** The worker reports at most this many failures; 0: all. */
  readonly bail: number;
}

/**
 * The messages of a worker: once for each failing requirement, other lines to print, the number of requests, and the
 * report.
 */
export type JudgeMessage =
  | { readonly type: 'proved'; readonly proved: Proved }
  /** The share of the work for the report that is done. */
  | { readonly type: 'judged'; readonly share: number }
  | { readonly type: 'said'; readonly text: string }
  | { readonly type: 'counts'; readonly text: string }
  /** Keys of a load run that the target does not accept. */
  | { readonly type: 'refused'; readonly keys: readonly string[] }
  | { readonly type: 'report'; readonly report: Report };

/** A judge in a thread of its own. */
export interface Judge {
  /**
   * The report of the whole, once it has been written.
   *
   * @param asked what the worker has still to know
   * @throws JudgingEnded at a signal that ends it; else what stopped the worker, by message
   */
  report(asked?: unknown): Promise<Report>;
  /** Rejected once the worker has stopped. */
  readonly stopped: Promise<unknown>;
  close(): Promise<void>;
}

/**
 * Judging is one long computation. It has its own thread, because this thread must answer signals and send requests in
 * time.
 *
 * @param worker the module that judges, and its task
 * @param again the message if a signal ends it: how to judge again
 */
export function openWorker(
  worker: { readonly name: 'judge-worker' | 'load-worker'; readonly job: unknown },
  again: string,
  listen: (message: JudgeMessage) => void,
): Judge {
  const extension = extname(fileURLToPath(import.meta.url));
  const thread = new Worker(new URL(`./${worker.name}${extension}`, import.meta.url), { workerData: worker.job });
  const { promise, resolve, reject } = Promise.withResolvers<Report>();
  // The caller may never ask for the report.
  promise.catch(() => {});
  thread.on('message', (message: JudgeMessage) => {
    if (message.type === 'report') resolve(message.report);
    else listen(message);
  });
  thread.once('error', reject);
  thread.once('exit', (code) => reject(new Error(`the judge ended with code ${code} and without a verdict`)));
  return {
    async report(asked = 'report') {
      const end = (): void => reject(new JudgingEnded(again));
      for (const signal of ENDING_SIGNALS) process.on(signal, end);
      thread.postMessage(asked);
      try {
        return await promise;
      } finally {
        for (const signal of ENDING_SIGNALS) process.off(signal, end);
      }
    },
    stopped: promise,
    async close() {
      await thread.terminate();
    },
  };
}

/**
 * A judge of a trace: it runs the same function on the same file as `judgeFile`, so the report is the same.
 *
 * @param follow if given, the judge follows the trace while it is written, and reports each failure once, at most
 *   `bail` of them
 * @param onShare hears how much of the judging for the report has been done
 */
export function openJudge(
  traceFile: string,
  follow: { onProved(proved: Proved): void; readonly bail: number } | null = null,
  onShare: OnShare = () => {},
): Judge {
  const job: JudgeJob = { traceFile, follow: follow !== null, bail: follow?.bail ?? 0 };
  const again = `Judging the trace did not finish. The trace is complete; judge it again: judge ${traceFile} --out FOLDER`;
  return openWorker({ name: 'judge-worker', job }, again, (message) => {
    if (message.type === 'proved') follow?.onProved(message.proved);
    else if (message.type === 'judged') onShare(message.share);
  });
}

/** The report of a recorded trace, made in a thread of its own. @throws as `Judge.report` */
export async function judgeApart(traceFile: string): Promise<Report> {
  const judge = openJudge(traceFile);
  try {
    return await judge.report();
  } finally {
    await judge.close();
  }
}
