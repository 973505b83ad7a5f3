import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Report } from '../report/report.ts';
import type { Trace } from '../trace/trace.ts';

/**
 * As `reportOf`, for a trace that has been read already, in a thread of its own: a signal during judging ends the
 * command at once. The caller passes the trace that it has read, and no file is opened again, so the digest belongs to
 * the judged bytes.
 */
export async function reportApart(trace: Trace, digest: string): Promise<Report> {
  const extension = extname(fileURLToPath(import.meta.url));
  const worker = new Worker(new URL(`./report-worker${extension}`, import.meta.url), { workerData: { trace, digest } });
  const { promise, resolve, reject } = Promise.withResolvers<Report>();
  worker.once('message', resolve);
  worker.once('error', reject);
  worker.once('exit', (code) => reject(new Error(`the judge ended with code ${code} and without a verdict`)));
  try {
    return await promise;
  } finally {
    await worker.terminate();
  }
}
