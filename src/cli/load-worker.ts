import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { judgeTrace } from '../judge/judge-trace.ts';
import { LoadReading, type RecordSource, surveyClocks } from '../load/load-reading.ts';
import type { RunIdentity } from '../load/load-trace.ts';
import { keepHeapSmall } from '../load/small-heap.ts';
import { watchLoad } from '../load/watch-load.ts';
import { makeReport } from '../report/make-report.ts';
import type { Report } from '../report/report.ts';
import type { JudgeMessage } from './judge-apart.ts';

/** The task of the worker of a load run or a merge. A `LoadEnd` asks it for the report. */
export interface LoadJob {
  readonly sources: readonly RecordSource[];
  /** They all ran on one machine, so that their clocks agree. */
  readonly sameHost: boolean;
  readonly identity: RunIdentity;
  readonly traceFile: string;
  /** The records are still being written. */
  readonly follow: boolean;
}

/** All records have been written. */
export interface LoadEnd {
  /** Why k6 did not finish as planned; empty if it did; null if only the records can show it. */
  readonly failures: readonly string[] | null;
  /** Keys that the target does not accept, besides those of which the records show it. */
  readonly refused: readonly string[];
}

/** Real ms between two looks at the records. */
const LOOK_EVERY = 250;

/** Joins the records of a load run, writes its trace and judges it: while they are written, and in the end. */
const { sources, sameHost, identity, traceFile, follow } = workerData as LoadJob;
const say = (message: JudgeMessage): void => parentPort?.postMessage(message);
keepHeapSmall();
const clocks = sameHost || sources.length === 1 ? null : surveyClocks(sources);
const reading = new LoadReading(sources, clocks, identity, traceFile);
const look = watchLoad(reading, say);
const timer = follow ? setInterval(() => look(Date.now() * 1000), LOOK_EVERY) : null;
parentPort?.once('message', async (end: LoadEnd) => {
  if (timer) clearInterval(timer);
  say({ type: 'report', report: await reportOf(end) });
});

async function reportOf({ failures, refused }: LoadEnd): Promise<Report> {
  const { load, figures, trace } = reading.finish(failures, refused);
  // What k6 sent last is often known only now.
  if (follow) say({ type: 'counts', text: reading.progress() });
  const judgement = judgeTrace(trace);
  const { digest, chain } = await sealOf(traceFile);
  const sealed = trace.footer ? { ...trace, footer: { ...trace.footer, chain } } : trace;
  const section = figures.section(load, judgement.budgets, trace.condensed);
  return makeReport(sealed, judgement, digest, section);
}

/** SHA-256 of a trace file, and the head of its hash chain from its last line. */
async function sealOf(file: string): Promise<{ digest: string; chain: string }> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const length = Math.min(size, 4_096);
    const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    const last = buffer.toString('utf8').trimEnd().split('\n').at(-1) ?? '';
    const { chain } = JSON.parse(last) as { chain: string };
    return { digest: hash.digest('hex'), chain };
  } finally {
    await handle.close();
  }
}
