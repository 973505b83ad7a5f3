import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Report } from '../report/report.ts';

/** A signal came while a trace was being judged: exit code 3. The message says how to judge it again. */
export class JudgingEnded extends Error {
  override name = 'JudgingEnded';
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * The report of a recorded trace, made in a thread of its own: judging is one long computation, during which this thread could
 * answer no signal. The worker runs the same function on the same file, so the report is the same.
 *
 * @throws JudgingEnded at SIGINT or SIGTERM; else as `judgeFile`, by message
 */
export async function judgeApart(traceFile: string): Promise<Report> {
  const extension = extname(fileURLToPath(import.meta.url));
  const worker = new Worker(new URL(`./judge-worker${extension}`, import.meta.url), { workerData: traceFile });
  const { promise, resolve, reject } = Promise.withResolvers<Report>();
  worker.once('message', resolve);
  worker.once('error', reject);
  worker.once('exit', (code) => reject(new Error(`the judge ended with code ${code} and without a verdict`)));
  const end = (): void => {
    reject(
      new JudgingEnded(
        `The trace was not judged to the end. It is whole, and is judged again by: judge ${traceFile} --out FOLDER`,
      ),
    );
  };
  for (const signal of SIGNALS) process.on(signal, end);
  try {
    return await promise;
  } finally {
    for (const signal of SIGNALS) process.off(signal, end);
    await worker.terminate();
  }
}
