/**
 * Does the work, and listens to SIGINT and SIGTERM only meanwhile: they ask the work to end in order.
 *
 * @param listen `once`: a second signal ends the process at once; `on`: it changes nothing
 */
export async function untilSignal<Result>(
  work: (interruption: AbortController) => Promise<Result>,
  listen: 'once' | 'on' = 'once',
): Promise<Result> {
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort(new Error('interrupted'));
  process[listen]('SIGINT', interrupt);
  process[listen]('SIGTERM', interrupt);
  try {
    return await work(interruption);
  } finally {
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
  }
}
