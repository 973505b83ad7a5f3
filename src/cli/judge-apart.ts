import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { OnShare } from '../judge/judgement.ts';
import type { Proved } from '../judge/so-far.ts';
import type { Report } from '../report/report.ts';

/** A signal came while a trace was being judged: exit code 3. The message says how to judge it again. */
export class JudgingEnded extends Error {
  override name = 'JudgingEnded';
}

/** What the worker is to do: follow the trace while it is written, or wait until it is asked for the report. */
export interface JudgeJob {
  readonly traceFile: string;
  readonly follow: boolean;
}

export type JudgeMessage =
  | { readonly type: 'proved'; readonly proved: Proved }
  /** Which share of the work for the report has been done. */
  | { readonly type: 'judged'; readonly share: number }
  | { readonly type: 'report'; readonly report: Report };

/** A judge in a thread of its own. */
export interface Judge {
  /**
   * The report of the whole trace, once it has been written.
   *
   * @throws JudgingEnded at SIGINT or SIGTERM; else as `judgeFile`, by message
   */
  report(): Promise<Report>;
  close(): Promise<void>;
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Judging is one long computation, during which this thread could answer no signal and send no request in time: so it has a thread of its
 * own. The worker runs the same function on the same file, so the report is the same.
 *
 * @param onProved where it is given, the judge follows the trace while it is written, and tells of each requirement once that it fails
 * @param onShare hears how much of the judging for the report has been done
 */
export function openJudge(
  traceFile: string,
  onProved: ((proved: Proved) => void) | null = null,
  onShare: OnShare = () => {},
): Judge {
  const extension = extname(fileURLToPath(import.meta.url));
  const job: JudgeJob = { traceFile, follow: onProved !== null };
  const worker = new Worker(new URL(`./judge-worker${extension}`, import.meta.url), { workerData: job });
  const { promise, resolve, reject } = Promise.withResolvers<Report>();
  // Nobody need ask for the report.
  promise.catch(() => {});
  worker.on('message', (message: JudgeMessage) => {
    if (message.type === 'proved') onProved?.(message.proved);
    else if (message.type === 'judged') onShare(message.share);
    else resolve(message.report);
  });
  worker.once('error', reject);
  worker.once('exit', (code) => reject(new Error(`the judge ended with code ${code} and without a verdict`)));
  return {
    async report() {
      const end = (): void => {
        reject(
          new JudgingEnded(
            `The trace was not judged to the end. It is whole, and is judged again by: judge ${traceFile} --out FOLDER`,
          ),
        );
      };
      for (const signal of SIGNALS) process.on(signal, end);
      worker.postMessage('report');
      try {
        return await promise;
      } finally {
        for (const signal of SIGNALS) process.off(signal, end);
      }
    },
    async close() {
      await worker.terminate();
    },
  };
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
