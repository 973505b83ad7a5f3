import type { Operation } from '../profile/profile.ts';

/** Something that the run has created and the profile says how to remove. */
export interface Leftover {
  readonly operation: Operation;
  readonly captured: Readonly<Record<string, string>>;
  readonly key: string;
}

/** Removes one thing with one of its clean-up operations; returns whether the budget had room for it. */
type Remove = (step: Operation, leftover: Leftover) => Promise<boolean>;

/**
 * Removes what a run has created, newest first, as far as each key's budget allows: a refused clean-up ends it for that key, because a run
 * creates more than the writes of a minute can remove. Returns how many things remain.
 */
export async function cleanUp(
  leftovers: readonly Leftover[],
  operations: readonly Operation[],
  remove: Remove,
): Promise<number> {
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  const spent = new Set<string>();
  const seen = new Set<string>();
  let left = 0;
  for (const leftover of leftovers.toReversed()) {
    const { operation, key, captured } = leftover;
    const thing = JSON.stringify([operation.id, key, Object.entries(captured).sort()]);
    // Repeated PUTs create one thing, but repeated POSTs create several.
    if (operation.method === 'PUT' && seen.has(thing)) continue;
    seen.add(thing);
    for (const id of operation.cleanup) {
      const step = byId.get(id);
      if (step && !spent.has(key) && !(await remove(step, leftover))) spent.add(key);
    }
    if (spent.has(key)) left += 1;
  }
  return left;
}
