import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Outcome, Subject } from './subject.ts';
import type { Order } from './try-subject.ts';

export interface AccuracyOptions {
  readonly scale: number;
  readonly seed: number;
  readonly keys: number;
  /** Folder below which each subject's trace is kept; null: none is. */
  readonly keep: string | null;
  readonly onOutcome: (outcome: Outcome, done: number, all: number) => void;
}

/** A run in scaled time takes seconds, of which most is waiting; one more than the processors keeps them busy without crowding them. */
const WORKERS = Math.max(1, availableParallelism());

/**
 * Runs the suite against each subject, a few at a time, each in a thread of its own so that none delays another's requests.
 * Outcomes are in the order of the subjects.
 */
export async function measureAccuracy(list: readonly Subject[], options: AccuracyOptions): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const queue = list.entries();
  let done = 0;
  const work = async (): Promise<void> => {
    const worker = new Worker(new URL(`./try-subject${extname(fileURLToPath(import.meta.url))}`, import.meta.url));
    try {
      for (let next = queue.next(); !next.done; next = queue.next()) {
        const [index, subject] = next.value;
        const outcome = await ask(worker, {
          subject,
          scale: options.scale,
          seed: options.seed + index,
          keys: options.keys,
          keep: keepFolder(options.keep, subject),
        });
        outcomes[index] = outcome;
        done += 1;
        options.onOutcome(outcome, done, list.length);
      }
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  return outcomes;
}

function ask(worker: Worker, order: Order): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      worker.off('message', onMessage);
      worker.off('error', onError);
      act();
    };
    const onMessage = (outcome: Outcome): void => settle(() => resolve(outcome));
    const onError = (error: Error): void => settle(() => reject(error));
    worker.on('message', onMessage);
    worker.on('error', onError);
    worker.postMessage(order);
  });
}

function keepFolder(keep: string | null, { name }: Subject): string | null {
  if (keep === null) return null;
  const folder = join(keep, name.replaceAll(/[^\w-]+/g, '-'));
  mkdirSync(folder, { recursive: true });
  return folder;
}
