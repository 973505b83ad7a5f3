import { budgetKey, type Exchange } from '../trace/exchange.ts';
import type { Intent } from '../trace/trace.ts';
import type { Proved } from './so-far.ts';

/**
 * What may be told of a history that goes on: what fails now, where the same failed at the moment before. More of a run may explain otherwise what a
 * part of it suggests, and what was told is never taken back.
 */
export function openConfirmation(): (found: readonly Proved[]) => readonly Proved[] {
  let before = '';
  return (found) => {
    const now = found.map(({ verdict }) => verdict.id).join();
    const stands = now === before;
    before = now;
    return stands ? found : [];
  };
}

/**
 * Tells when the budgets of a run are worth judging again: when a burst is in, and when a budget that was refusing accepts again or
 * the other way round, as at the end of a window. A pulse of single requests in between shows little, and judging costs.
 */
export interface Moments {
  learn(added: { readonly exchanges: readonly Exchange[]; readonly intents: readonly (readonly Intent[])[] }): void;
  /** Whether something has come since it was last taken; taking it starts anew. */
  take(): boolean;
}

export function openMoments(): Moments {
  /** Requests of bursts that are still under way: of which burst, and how many it still lacks. */
  const bursts = new Map<number, { missing: number }>();
  const refusing = new Map<string, boolean>();
  let due = false;
  return {
    learn({ exchanges, intents }) {
      for (const burst of intents) {
        if (burst.length < 2) continue;
        const open = { missing: burst.length };
        for (const { seq } of burst) bursts.set(seq, open);
      }
      for (const exchange of exchanges) {
        const open = bursts.get(exchange.seq);
        if (open) {
          bursts.delete(exchange.seq);
          open.missing -= 1;
          if (open.missing === 0) due = true;
        }
        const key = budgetKey(exchange);
        if (key === null || exchange.status === null) continue;
        const budget = `${key} ${exchange.kind}`;
        const refused = exchange.status === 429;
        if (refused !== (refusing.get(budget) ?? false)) due = true;
        refusing.set(budget, refused);
      }
    },
    take() {
      const taken = due;
      due = false;
      return taken;
    },
  };
}
