/**
 * Concurrent requests of one experiment if their order does not matter: this saves time on a slow target, and is a
 * light load on a fast one.
 */
const AT_ONCE = 4;

/**
 * Runs `work` on each item, a few at a time, started in order. Rejects with the first error, once the others under way
 * have ended.
 */
export async function inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void> {
  const queue = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = queue.next(); !next.done; next = queue.next()) await work(next.value);
  };
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, worker));
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
}
