import { budgetKey, type CapturedHeaders, type Exchange } from '../trace/exchange.ts';
import type { Intent } from '../trace/trace.ts';

/**
 * Tells when a run is worth judging again, since judging costs. Its answers: when one has come that is unlike all
 * before, in what was asked or in what it says, and when what is odd comes a second time. Its budgets: when a burst is
 * in; when one that was refusing accepts again or the other way round; when an answer leaves more than the one before
 * by half of the limit, as at the end of a window, or less than the requests in between account for. A pulse of single
 * requests in between shows little.
 */
export interface Moments {
  learn(added: { readonly exchanges: readonly Exchange[]; readonly intents: readonly (readonly Intent[])[] }): void;
  /** Whether something has come since it was last taken; taking it starts anew. */
  take(what: 'answers' | 'budgets'): boolean;
}

/** A budget as its last answer left it. */
interface Standing {
  refusing: boolean;
  /** Requests sent and answered so far. */
  sent: number;
  answered: number;
  /** What was left, and how many requests had been answered then; null before an answer told. */
  told: { readonly remaining: number; readonly answered: number } | null;
}

export function openMoments(): Moments {
  /** Requests of bursts that are still under way: of which burst, and how many it still lacks. */
  const bursts = new Map<number, { missing: number }>();
  const budgets = new Map<string, Standing>();
  const seen = new Map<string, number>();
  const due = { answers: false, budgets: false };
  const standingOf = (request: Pick<Exchange, 'fault' | 'key' | 'kind'>): Standing | null => {
    const key = budgetKey(request);
    if (key === null) return null;
    const name = `${key} ${request.kind}`;
    const known = budgets.get(name) ?? { refusing: false, sent: 0, answered: 0, told: null };
    budgets.set(name, known);
    return known;
  };
  return {
    learn({ exchanges, intents }) {
      for (const burst of intents) {
        for (const intent of burst) {
          const budget = standingOf(intent);
          if (budget) budget.sent += 1;
        }
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
        const times = seen.get(like) ?? 0;
        if (times < (isOdd(exchange) ? 2 : 1)) due.answers = true;
        seen.set(like, times + 1);
        const budget = standingOf(exchange);
        if (budget && changes(budget, exchange)) due.budgets = true;
      }
    },
    take(what) {
      const taken = due[what];
      due[what] = false;
      return taken;
    },
  };
}

/** Whether a budget is other than its last answer left it, but for the requests that were sent; takes the answer in. */
function changes(budget: Standing, { status, headers }: Exchange): boolean {
  budget.answered += 1;
  if (status === null) return false;
  const { refusing, told, sent } = budget;
  budget.refusing = status === 429;
  if (budget.refusing !== refusing) return true;
  const remaining = Number(headers.remaining[0] ?? Number.NaN);
  // Of a load run it is not known what was under way.
  if (budget.refusing || Number.isNaN(remaining) || sent === 0) return false;
  budget.told = { remaining, answered: budget.answered };
  // What was under way then may have been counted before it or after it.
  const underWay = told === null ? 0 : sent - told.answered;
  const half = Number(headers.limit[0] ?? Number.NaN) / 2;
  return told !== null && (remaining > told.remaining + half || remaining < told.remaining - underWay);
}

/** A good request that was neither served nor refused for a spent budget: once may be an accident. */
function isOdd({ fault, key, status }: Exchange): boolean {
  return fault === 'none' && key !== null && status !== null && status >= 300 && status !== 429;
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
