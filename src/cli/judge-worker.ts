import { parentPort, workerData } from 'node:worker_threads';
import { judgeFile } from './conclude-run.ts';

/** The worker of `judge-apart.ts`: judges the trace file that it is given, and says what came out. */
parentPort?.postMessage(await judgeFile(String(workerData)));
