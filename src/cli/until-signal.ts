import { ENDING_SIGNALS } from './ending-signals.ts';

/**
 * Does the work, and listens to signals that end it only meanwhile: they ask the work to end in order.
 *
 * @param listen `once`: a second signal ends the process at once; `on`: it changes nothing
 */
export async function untilSignal<Result>(
  work: (interruption: AbortController) => Promise<Result>,
  listen: 'once' | 'on' = 'once',
): Promise<Result> {
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort(new Error('interrupted'));
  for (const signal of ENDING_SIGNALS) process[listen](signal, interrupt);
  try {
    return await work(interruption);
  } finally {
    for (const signal of ENDING_SIGNALS) process.off(signal, interrupt);
  }
}
