import { budgetKey, type CapturedHeaders, type Exchange } from '../trace/exchange.ts';
import type { Intent } from '../trace/trace.ts';

/**
 * Tells when a run is worth judging again, since judging costs. Its answers: when one has come that is unlike all before, in what was asked
 * or in what it says. Its budgets: when a burst is in, and when a budget that was refusing accepts again or the other way
 * round, as at the end of a window; a pulse of single requests in between shows little.
 */
export interface Moments {
  learn(added: { readonly exchanges: readonly Exchange[]; readonly intents: readonly (readonly Intent[])[] }): void;
  /** Whether something has come since it was last taken; taking it starts anew. */
  take(what: 'answers' | 'budgets'): boolean;
}

export function openMoments(): Moments {
  /** Requests of bursts that are still under way: of which burst, and how many it still lacks. */
  const bursts = new Map<number, { missing: number }>();
  const refusing = new Map<string, boolean>();
  const seen = new Set<string>();
  const due = { answers: false, budgets: false };
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
          if (open.missing === 0) due.budgets = true;
        }
        const like = likeness(exchange);
        if (!seen.has(like)) due.answers = true;
        seen.add(like);
        const key = budgetKey(exchange);
        if (key === null || exchange.status === null) continue;
        const budget = `${key} ${exchange.kind}`;
        const refused = exchange.status === 429;
        if (refused !== (refusing.get(budget) ?? false)) due.budgets = true;
        refusing.set(budget, refused);
      }
    },
    take(what) {
      const taken = due[what];
      due[what] = false;
      return taken;
    },
  };
}

/** What judges of single answers look at: two exchanges that are alike in it show the same. */
function likeness({ operation, key, credential, fault, variation, step, status, failure, headers }: Exchange): string {
  const probe = fault === 'none' ? null : step;
  return [operation, key, credential, fault, variation, probe, status, failure, shapeOf(headers)].join(' ');
}

/** Numbers that rise and fall in a run say nothing new by themselves. */
function shapeOf({ limit, remaining, reset }: CapturedHeaders): string {
  const shapes = [
    limit,
    remaining.map((each) => each.replace(/^\d+$/, 'n')),
    reset.map((each) => each.replace(/^\d{7,}$/, 'N')),
  ];
  return shapes.map((each) => each.join()).join(' ');
}
