import type { RequirementId } from '../catalogue/requirement.ts';
import { isOfLimits } from '../judge/shown.ts';
import { budgetKey, type Exchange, isFullKey, type Kind } from '../trace/exchange.ts';
import type { Trace } from '../trace/trace.ts';
import { budgetOf, byItself } from './sequence.ts';
import { outcomeOf, wrongOf } from './shown-elsewhere.ts';
import { shows } from './shows.ts';
import type { Evidence } from './standing.ts';

/** Of a larger run, as of load, only the proofs are sent again. */
const MOST_SEARCHED = 20_000;

/** At most so many requests on a budget, so that none of them is refused. */
const ROOM: Readonly<Record<Kind, number>> = { read: 80, write: 20 };

/** The ways in which a run shows a failure besides its proofs. */
export interface Ways {
  /** A request for each, with what shows that it should have been answered otherwise. */
  readonly found: readonly Evidence[];
  /** How many more there are, for which the budgets of the keys do not suffice. */
  readonly left: number;
}

/**
 * One request for each way in which answers of a run show a failure by themselves: for each operation, status, form of
 * the key, variation and wrong answer. Each may be mended without the others, and a proof stands for all that are alike
 * to the judge. Limits are not about single answers, so they have none.
 */
export function furtherWays(id: RequirementId, proofs: readonly Evidence[], { exchanges, ...trace }: Trace): Ways {
  if (isOfLimits(id) || exchanges.length > MOST_SEARCHED) return { found: [], left: 0 };
  const known = new Set(proofs.flatMap(({ evidence }) => formOf(wrongOf(evidence)) ?? []));
  const used = new Map<string, number>();
  for (const each of proofs.flatMap(({ evidence }) => evidence)) count(used, each);
  const groups = Map.groupBy(
    exchanges.filter(({ status }) => status !== null),
    (each) => formOf(each),
  );
  const found: Evidence[] = [];
  let left = 0;
  for (const [form, alike] of groups) {
    if (form === null || known.has(form)) continue;
    const way = shownBy(id, leastUsed(alike, used), { ...trace, exchanges });
    if (way === null) continue;
    // What is refused is asked for again when a budget has been spent.
    if (way.at(-1)?.status !== 429 && way.some((each) => (used.get(budgetOf(each)) ?? 0) >= ROOM[each.kind])) {
      left++;
      continue;
    }
    for (const each of way) count(used, each);
    found.push({ evidence: way });
  }
  return { found, left };
}

function count(used: Map<string, number>, each: Exchange): void {
  if (budgetKey(each) !== null) used.set(budgetOf(each), (used.get(budgetOf(each)) ?? 0) + 1);
}

function leastUsed(alike: readonly Exchange[], used: ReadonlyMap<string, number>): Exchange | undefined {
  return alike.toSorted((one, other) => (used.get(budgetOf(one)) ?? 0) - (used.get(budgetOf(other)) ?? 0))[0];
}

/**
 * The request with what it takes to show the failure: nothing, or a success of the same operation, in the same form or
 * any.
 */
function shownBy(id: RequirementId, wrong: Exchange | undefined, trace: Trace): readonly Exchange[] | null {
  if (!wrong) return null;
  const own = byItself(wrong);
  const successes = trace.exchanges.filter(
    (each) =>
      each.status === 200 &&
      each.operation === wrong.operation &&
      each.fault === 'none' &&
      each.variation === null &&
      isFullKey(each.key),
  );
  const control = successes.find(({ credential }) => credential === wrong.credential) ?? successes[0];
  const forms = [[own], ...(control && control.seq !== wrong.seq ? [[byItself(control), own]] : [])];
  return forms.find((each) => shows(id, each, trace)) ?? null;
}

/** What sets an answer apart from others that show the same. All full keys are alike. */
export function formOf(exchange: Exchange | undefined): string | null {
  if (!exchange) return null;
  const { operation, method, fault, credential, variation, key, kind } = exchange;
  const role = isFullKey(key) ? 'full' : key;
  return JSON.stringify([operation, method, fault, credential, variation, role, kind, outcomeOf(exchange)]);
}
