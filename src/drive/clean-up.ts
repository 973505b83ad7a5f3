import type { Operation } from '../profile/profile.ts';

/** Something that the run has made and the profile says how to remove. */
export interface Leftover {
  readonly operation: Operation;
  readonly captured: Readonly<Record<string, string>>;
  readonly key: string;
}

/** Removes one thing by one of its clean-up operations; gives whether the budget had room for it. */
type Remove = (step: Operation, leftover: Leftover) => Promise<boolean>;

/**
 * Removes what a run has made, newest first, as far as each key's budget goes: a refused clean-up ends it for that key, since a run makes
 * more than a minute's writes can remove. Gives how many things stay behind.
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
    // However often it was put, it is one thing; what was posted as often are as many.
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
