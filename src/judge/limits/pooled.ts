import { analyse, reach } from '../../oracle/analyse.ts';
import { type Event, type History, WINDOW } from '../../oracle/history.ts';
import type { BudgetCase } from './budget-case.ts';
import { type Budget, type Evidence, historyOf } from './budgets.ts';
import type { Cause } from './cause.ts';

/**
 * One budget for all keys: where a key at rest does not explain what its budget shows, and the requests of all keys of that
 * kind, taken as one budget, are explained wholly. Budgets of their own cannot pass for one: each would give out the same
 * values again, and together they would let through more than one limit allows. Earlier use of the keys cannot either,
 * since every value of every key would have to fit the requests of the others by chance.
 */
export function poolKeys(cases: readonly BudgetCase[], evidence: Evidence): readonly BudgetCase[] {
  const causes = new Map((['read', 'write'] as const).map((kind) => [kind, poolOf(kind, cases, evidence)]));
  return cases.map((each) => {
    const cause = causes.get(each.budget.kind);
    if (!cause) return each;
    const suspects = cause.suspects.filter(({ key }) => key !== each.budget.key);
    return { ...each, cause: { ...cause, suspects }, otherLimit: null, otherWindow: null, disturbed: false };
  });
}

function poolOf(kind: Budget['kind'], cases: readonly BudgetCase[], evidence: Evidence): Cause | null {
  const members = cases.filter(({ budget }) => budget.kind === kind);
  const lacking = members.filter(({ reach: reached, findings }) => reached < 3 || findings.history.prior);
  const [first] = members;
  if (!first || members.length < 2 || lacking.length === 0) return null;
  const exchanges = members.flatMap(({ budget }) => budget.exchanges);
  const pool = { ...historyOf(first.budget, exchanges, evidence), key: 'all keys' };
  if (!fitsTwoWindows(pool) || !interleaved(pool) || risesAlone(pool)) return null;
  const findings = analyse(pool, { depth: 'whole' });
  if (reach(findings) < 3) return null;
  return {
    requirement: 'LIMIT-KEY',
    part: 'all keys',
    supposition: 'all keys draw on one budget',
    suspects: exchanges,
    findings: [findings],
    reach: 3,
  };
}

/** No mechanism lets more than two limits through within one window's length: what does is no single budget. */
function fitsTwoWindows({ events, limit }: History): boolean {
  const accepted = events.filter(({ outcome }) => outcome === 'accepted');
  let start = 0;
  for (const [index, { to }] of accepted.entries()) {
    while ((accepted[start]?.from ?? to) <= to - WINDOW) start++;
    if (index - start + 1 > 2 * limit) return false;
  }
  return true;
}

/** Answers that must have told another key's requests by their values: fewer might fit by chance. */
const FEWEST_SWITCHES = 3;

/** Whether keys follow one another closely enough, and often enough, for one budget to differ from several. */
function interleaved({ events }: History): boolean {
  const telling = events.filter(({ outcome, remaining }) => outcome === 'accepted' && remaining !== null);
  let switches = 0;
  let last: Event | null = null;
  for (const event of telling) {
    if (last && last.exchange.key !== event.exchange.key && event.from - last.to < WINDOW / 2) switches++;
    last = event;
  }
  return switches >= FEWEST_SWITCHES;
}

/** µs in which a sliding counter gives back no more than two or three slots. */
const SHORT = 1_000_000;
const GIVEN_BACK = 3;

/** Whether an answer right after another, under the same marker, has far more left: cheap to see, and no single budget does that. */
function risesAlone({ events }: History): boolean {
  return events.some((later, index) => {
    const earlier = events[index - 1];
    if (earlier?.outcome !== 'accepted' || later.outcome !== 'accepted' || earlier.reset !== later.reset) return false;
    if (earlier.to >= later.from || later.to - earlier.from > SHORT) return false;
    return (later.remaining ?? 0) > (earlier.remaining ?? later.remaining ?? 0) + GIVEN_BACK;
  });
}
