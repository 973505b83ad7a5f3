import type { RequirementId } from '../../catalogue/requirement.ts';
import { diagnose } from '../../oracle/diagnose.ts';
import type { Opinion } from '../verdict.ts';
import type { BudgetCase } from './budget-case.ts';
import type { Budget } from './budgets.ts';
import type { Ruling } from './ruling.ts';

const SHARED_BUDGET = 'shared budget';

/** Requirements of which a failure says that two draw on one budget, where it is seen from both sides. */
const SHARING: readonly RequirementId[] = ['LIMIT-KEY', 'LIMIT-RW'];

/** What to call what is wrong with each budget, where it has a name: for the reader only, no verdict rests on it. */
export function nameCases(cases: readonly BudgetCase[]): ReadonlyMap<Budget, string> {
  const shared = sharedBy(cases);
  const undisturbed = cases.filter(({ cause, disturbed, unseen }) => !cause && !disturbed && !unseen);
  const refuted = undisturbed.filter(({ reach }) => reach < 3);
  const sound = undisturbed.filter(({ reach }) => reach === 3);
  const names = refuted.length > 0 ? diagnose([...refuted, ...sound].map(({ budget }) => budget.history)) : null;
  const named = cases.flatMap((each): (readonly [Budget, string])[] => {
    if (each.cause) return shared.has(each.cause.requirement) ? [[each.budget, SHARED_BUDGET]] : [];
    const name = refuted.includes(each) ? names?.[each.budget.kind] : null;
    return name ? [[each.budget, name]] : [];
  });
  return new Map(named);
}

/** Where each side shows what the other takes: two keys of a kind, or the two kinds. */
function sharedBy(cases: readonly BudgetCase[]): ReadonlySet<RequirementId> {
  const sidesOf = (id: RequirementId): number => {
    const blamed = cases.filter(({ cause }) => cause?.requirement === id).map(({ budget }) => budget);
    const side = ({ key, kind }: Budget) => (id === 'LIMIT-KEY' ? key : kind);
    return new Set(blamed.map(side)).size;
  };
  return new Set(SHARING.filter((id) => sidesOf(id) > 1));
}

/** The ruling with the name at its proofs. */
export function named(ruling: Ruling, name: string | null): Ruling {
  if (name === null || !ruling.proofs) return ruling;
  return { ...ruling, proofs: ruling.proofs.map((each) => ({ ...each, diagnosis: each.diagnosis ?? name })) };
}

/** The opinion on who shares a budget, with the name at its proofs where that is what it found. */
export function nameSharing(opinion: Opinion, cases: readonly BudgetCase[]): Opinion {
  if (!opinion.proofs || !sharedBy(cases).has(opinion.id)) return opinion;
  return { ...opinion, proofs: opinion.proofs.map((each) => ({ ...each, diagnosis: SHARED_BUDGET })) };
}
