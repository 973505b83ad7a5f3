import type { Operation, Probe } from '../profile/profile.ts';
import type { Answer } from './http/message.ts';
import { type Captured, PreparationFailed } from './preparation.ts';
import type { RequestSpec } from './request-spec.ts';
import type { Renderer } from './sender.ts';

/** Something that the run has created and the profile says how to remove. */
export interface Leftover {
  readonly operation: Operation;
  readonly captured: Captured;
  readonly key: string;
}

/** Removes one thing with one of its clean-up operations; returns whether the budget had room for it. */
type Remove = (step: Operation, leftover: Leftover) => Promise<boolean>;

/** What a request has created and the profile says how to remove, if anything. */
export function leftoverOf(
  spec: RequestSpec,
  captured: Captured,
  answer: Answer,
  capture: Renderer['capture'],
): Leftover[] {
  const { operation, key, fault = 'none', probe } = spec;
  const { status } = answer;
  // An odd form of an operation that was accepted has created something, too.
  const isMeant = fault === 'none' || (fault === 'unstated' && probe !== undefined);
  if (operation.cleanup.length === 0 || key === null || !isMeant) return [];
  if (status === null || status < 200 || status >= 300) return [];
  try {
    return [{ operation, key, captured: { ...captured, ...capture(operation, answer) } }];
  } catch (error) {
    if (!(error instanceof PreparationFailed)) throw error;
    return [];
  }
}

/** Whether an accepted request of the run was all the clean-up that a leftover needs. */
export function isRemovedBy(
  { operation: { cleanup }, key, captured }: Leftover,
  { operation, key: by, probe }: RequestSpec,
  values: Captured,
  thingsOf: (template: Operation | Probe, captured: Captured) => readonly string[],
): boolean {
  if (probe !== undefined || by !== key || cleanup.some((id) => id !== operation.id)) return false;
  return thingsOf(operation, captured).join('\n') === thingsOf(operation, values).join('\n');
}

/**
 * Removes what a run has created, newest first, as far as each key's budget allows: a refused clean-up ends it for that
 * key, because a run creates more than the writes of a minute can remove. Returns how many things remain.
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
