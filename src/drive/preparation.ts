import type { Operation, Profile } from '../profile/profile.ts';
import type { Shot } from './shot.ts';

type Captured = Readonly<Record<string, string>>;

/** Runs one preparing operation and gives what it captured. */
type Prepare = (step: Operation, captured: Captured, key: string, experiment: string) => Promise<Captured>;

/** What an operation needs could not be made, so the operation was not tried. */
export class PreparationFailed extends Error {
  override name = 'PreparationFailed';
}

/** What must exist before an operation can be tried, made with as few requests as possible. */
export interface Preparations {
  for(shot: Shot): Promise<Captured>;
}

/**
 * Makes what operations need: once per key and operation, since preparing counts against the budget, but each time anew where the operation
 * uses up what it needs. A request without a full key is given what the key of its control has made, so that the key is the
 * only difference between the two.
 */
export function preparations(profile: Pick<Profile, 'operations'>, prepare: Prepare): Preparations {
  const operations = new Map(profile.operations.map((operation) => [operation.id, operation]));
  const made = new Map<string, Promise<Captured>>();
  const latest = new Map<string, Promise<Captured>>();

  async function make(operation: Operation, key: string, experiment: string): Promise<Captured> {
    let captured: Captured = {};
    for (const id of operation.prepare) {
      const step = operations.get(id);
      if (!step) continue;
      if (step.prepare.length > 0) captured = { ...captured, ...(await make(step, key, experiment)) };
      captured = { ...captured, ...(await prepare(step, captured, key, experiment)) };
    }
    return captured;
  }

  return {
    async for({ operation, key, fault, experiment }) {
      if (operation.prepare.length === 0) return {};
      const plain = fault === undefined || fault === 'none';
      const owner = key?.startsWith('key-') ? key : null;
      if (owner === null || !plain) {
        const existing = latest.get(operation.id);
        if (existing) return existing;
      }
      const id = `${owner ?? 'key-1'} ${operation.id}`;
      const existing = made.get(id);
      if (existing && operation.method !== 'DELETE') return existing;
      const making = make(operation, owner ?? 'key-1', experiment);
      made.set(id, making);
      latest.set(operation.id, making);
      return making;
    },
  };
}
