import { parentPort, workerData } from 'node:worker_threads';
import type { Trace } from '../trace/trace.ts';
import { reportOf } from './judge-file.ts';

/** The worker of `report-apart.ts`. */
const { trace, digest } = workerData as { readonly trace: Trace; readonly digest: string };
parentPort?.postMessage(reportOf(trace, digest));
