import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { WINDOW_S } from '../catalogue/limits.ts';
import { budgetOf, fullKeysOf, onKey, requestsOf, type Sequence } from '../replay/sequence.ts';
import { readTrace } from '../trace/read-trace.ts';
import type { Trace } from '../trace/trace.ts';

/** Name of the folder for the replays of a run, inside the run's folder. */
export const REPLAYS = 'replays';

/** When each budget was last used by the run or one of its replays, in seconds since the Unix epoch. */
export async function usesOf(folder: string, recorded: Trace): Promise<Map<string, number>> {
  const replays = join(folder, REPLAYS);
  const files = existsSync(replays) ? readdirSync(replays).map((name) => join(replays, name, 'trace.ndjson')) : [];
  const uses = new Map<string, number>();
  addUses(uses, recorded);
  for (const file of files.filter((each) => existsSync(each))) addUses(uses, await readTrace(file));
  return uses;
}

export function addUses(uses: Map<string, number>, { header, exchanges }: Trace): void {
  for (const each of exchanges) {
    const at = (header.epoch + (each.answered ?? each.sent) / header.scale) / 1e6;
    uses.set(budgetOf(each), Math.max(uses.get(budgetOf(each)) ?? 0, at));
  }
}

/**
 * The sequence, and the seconds until all of its budgets are full: a window after they were last used. A sequence that
 * needs only one key gets the key that has been unused for longest.
 */
export function whenWhole(
  sequence: Sequence,
  uses: ReadonlyMap<string, number>,
  keys: number,
  scale: number,
): { readonly sequence: Sequence; readonly wait: number } {
  if (sequence.pace === 'single') return { sequence, wait: 0 };
  const [own, ...others] = fullKeysOf(sequence);
  const aliases = Array.from({ length: keys }, (_, index) => `key-${index + 1}`);
  const forms = own === undefined || others.length > 0 ? [sequence] : aliases.map((key) => onKey(sequence, own, key));
  const now = Date.now() / 1000;
  const [first] = forms
    .map((form) => {
      const last = Math.max(0, ...requestsOf(form).map((each) => uses.get(budgetOf(each)) ?? 0));
      return { sequence: form, wait: Math.max(0, last + (WINDOW_S + 1) / scale - now) };
    })
    .sort((one, other) => one.wait - other.wait);
  return first ?? { sequence, wait: 0 };
}
