import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { inThreads } from './pool.ts';
import type { Outcome, Subject } from './subject.ts';
import type { Order } from './try-subject.ts';

export interface AccuracyOptions {
  readonly scale: number;
  readonly seed: number;
  readonly keys: number;
  /** Folder for the traces of all subjects; null: no trace is kept. */
  readonly keep: string | null;
  readonly onOutcome: (outcome: Outcome, done: number, all: number) => void;
}

/**
 * Runs the suite against each subject, a few at a time, each in its own thread, so none delays another's requests.
 * Outcomes are in the order of the subjects.
 */
export function measureAccuracy(list: readonly Subject[], options: AccuracyOptions): Promise<Outcome[]> {
  const { scale, seed, keys, keep, onOutcome } = options;
  const orders = list.map((subject, index) => ({
    subject,
    scale,
    seed: seed + index,
    keys,
    keep: keepFolder(keep, subject),
  }));
  return inThreads<Order, Outcome>(new URL('./try-subject', import.meta.url), orders, (outcome, done) =>
    onOutcome(outcome, done, list.length),
  );
}

function keepFolder(keep: string | null, { name }: Subject): string | null {
  if (keep === null) return null;
  const folder = join(keep, name.replaceAll(/[^\w-]+/g, '-'));
  mkdirSync(folder, { recursive: true });
  return folder;
}
