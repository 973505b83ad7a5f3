import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

/**
 * A run in scaled time mostly waits for some seconds, and one in virtual time only computes: one thread for each
 * processor suits both.
 */
const WORKERS = Math.max(1, availableParallelism());

/**
 * Passes each order to a thread, as many at once as there are processors. Returns the answers in the order of the
 * orders.
 *
 * @param file the worker without its ending, which is that of this file
 * @param onAnswer called when an answer has come, with how many have
 */
export async function inThreads<Order, Answer>(
  file: URL,
  orders: readonly Order[],
  onAnswer: (answer: Answer, done: number) => void,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  const queue = orders.entries();
  let done = 0;
  const work = async (): Promise<void> => {
    const worker = new Worker(new URL(`${file.href}${extname(fileURLToPath(import.meta.url))}`));
    try {
      for (let next = queue.next(); !next.done; next = queue.next()) {
        const [index, order] = next.value;
        const answer = await ask<Order, Answer>(worker, order);
        answers[index] = answer;
        done += 1;
        onAnswer(answer, done);
      }
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: Math.min(WORKERS, orders.length) }, work));
  return answers;
}

async function ask<Order, Answer>(worker: Worker, order: Order): Promise<Answer> {
  const answered = once(worker, 'message');
  worker.postMessage(order);
  const [answer] = (await answered) as [Answer];
  return answer;
}
