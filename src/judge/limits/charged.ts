import { badKeyNamed } from '../../catalogue/key-states.ts';
import type { RequirementId } from '../../catalogue/requirement.ts';
import { analyse, reach } from '../../oracle/analyse.ts';
import { findDeficits } from '../../oracle/capacity.ts';
import type { Event, History } from '../../oracle/history.ts';
import type { Exchange } from '../../trace/exchange.ts';
import type { Budget, Evidence } from './budgets.ts';
import type { Cause } from './cause.ts';
import { isMadeUp, stretchesOf } from './stretches.ts';
import { succeeded, withBadKey } from './suspects.ts';

/** Where the history is explained if these requests were taken off the budget, too. */
export function charged(
  budget: Budget,
  requirement: RequirementId,
  part: string,
  suspects: readonly Exchange[],
): Cause | null {
  if (suspects.length === 0 || findDeficits(budget.history, 1).length === 0) return null;
  const findings = analyse(withForeign(budget.history, suspects), { depth: 'whole' });
  if (reach(findings) < 3) return null;
  const supposition = `${part} are taken off the budget too`;
  return { requirement, part, supposition, suspects, findings: [findings], reach: 3 };
}

/** With more classes than these, no one is suspected. */
const MOST_CLASSES = 12;

/** Where the history is explained if the budget's own requests of one class are counted twice each. */
export function repeated(budget: Budget, by: string, nameOf: (exchange: Exchange) => string): Cause | null {
  const names = [...new Set(budget.exchanges.map(nameOf))].filter((name) => name !== '');
  if (names.length > MOST_CLASSES) return null;
  for (const name of names) {
    const suspects = budget.exchanges.filter((each) => nameOf(each) === name && succeeded(each));
    const cause = charged(budget, 'HDR-4', `${by} ${name}`, suspects);
    if (cause) return { ...cause, supposition: `each request with ${by} ${name} is counted twice` };
  }
  return null;
}

/** So many sets of bad keys that fit what is missing are held against the whole history. */
const MOST_SETS = 4;

/** Where the history is explained if requests with some kinds of bad keys are charged, such as those that resemble a good one. */
export function someBadKeys(budget: Budget, evidence: Evidence): Cause | null {
  const bad = withBadKey(budget, evidence);
  const stretches = stretchesOf(budget.history);
  // By what they are, and whether they were let in: the forms that are too many to be tried in every set.
  const classOf = (each: Exchange): string => {
    const family = badKeyNamed(each.variation)?.family ?? each.variation ?? '';
    return succeeded(each) ? `${family}, let in` : family;
  };
  const names = [...new Set(bad.map(classOf))].sort().slice(0, MOST_CLASSES);
  const sets = subsets(names).map((set) => ({
    part: `requests with a bad key (${set.join(', ')})`,
    suspects: bad.filter((each) => set.includes(classOf(each))),
  }));
  const fitting = sets.filter(({ suspects }) => stretches.every((stretch) => isMadeUp(stretch, suspects)));
  for (const { part, suspects } of fitting.slice(0, MOST_SETS)) {
    const cause = charged(budget, 'LIMIT-ANON', part, suspects);
    if (cause) return cause;
  }
  return null;
}

function subsets(names: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: 2 ** names.length }, (_, bits) => names.filter((_name, at) => (bits >> at) % 2 === 1));
}

/** The history with requests of others among its events, as if they had been counted. */
export function withForeign(history: History, suspects: readonly Exchange[]): History {
  const foreign: Event[] = suspects.map((exchange) => ({
    exchange,
    from: exchange.sent,
    to: exchange.answered ?? exchange.sent,
    outcome: 'foreign',
    group: '',
    remaining: null,
    reset: null,
  }));
  const events = [...history.events, ...foreign].sort((one, other) => one.from - other.from);
  return { ...history, events };
}
