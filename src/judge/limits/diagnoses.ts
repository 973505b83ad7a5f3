import { type Deficit, findDeficits } from '../../oracle/capacity.ts';
import { diagnose } from '../../oracle/diagnose.ts';
import type { Kind } from '../../trace/exchange.ts';
import type { Opinion } from '../verdict.ts';
import type { BudgetCase } from './budget-case.ts';
import type { Budget } from './budgets.ts';
import type { Ruling } from './ruling.ts';

const SHARED_BUDGET = 'shared budget';

/** More budgets of a kind than these say no more. */
const MOST_BUDGETS = 16;

/** What to call what is wrong with each budget, where it has a name: for the reader, and for LIMIT-WINDOW where it is a bucket. */
export function nameCases(cases: readonly BudgetCase[]): ReadonlyMap<Budget, string> {
  const sharing = [...sharedBetween(cases, 'LIMIT-KEY'), ...sharedBetween(cases, 'LIMIT-RW')];
  const own = cases.filter(
    ({ budget, cause, disturbed, unseen }) => !cause && !disturbed && !unseen && !sharing.includes(budget),
  );
  const refuted = own.flatMap(({ reach, budget }) => (reach < 3 ? [budget] : []));
  const sound = own.flatMap(({ reach, budget }) => (reach === 3 ? [budget] : []));
  const some = (kind: Kind) => [...refuted, ...sound].filter((each) => each.kind === kind).slice(0, MOST_BUDGETS);
  const names = refuted.length > 0 ? diagnose([...some('read'), ...some('write')].map(({ history }) => history)) : null;
  return new Map([
    ...refuted.flatMap((budget): (readonly [Budget, string])[] => {
      const name = names?.[budget.kind];
      return name ? [[budget, name]] : [];
    }),
    ...sharing.map((budget) => [budget, SHARED_BUDGET] as const),
  ]);
}

/** Budgets that are one, where each side shows what the other takes: two keys of a kind, or the two kinds of a key. */
function sharedBetween(cases: readonly BudgetCase[], id: 'LIMIT-KEY' | 'LIMIT-RW'): readonly Budget[] {
  const blamed = cases.flatMap(({ budget, cause }) => (cause?.requirement === id ? [budget] : []));
  const sides = (side: (budget: Budget) => string) => new Set(blamed.map(side)).size;
  if (id === 'LIMIT-KEY') return sides(({ key }) => key) > 1 ? blamed : [];
  if (sides(({ kind }) => kind) > 1) return blamed;
  const others = cases.flatMap(({ budget, cause }) => {
    const one = blamed.find(({ kind }) => kind !== budget.kind);
    const same = cases.find((each) => each.budget.key === budget.key && each.budget.kind === one?.kind);
    return one && same && !cause && takesFrom(same.budget, budget) ? [budget] : [];
  });
  return others.length > 0 ? [...blamed, ...others] : [];
}

/** Deficits of one budget that are looked at. */
const MOST_DEFICITS = 64;

/** Whether this budget's requests make up for each time that the other one had less than it should. */
function takesFrom({ history }: Budget, other: Budget): boolean {
  const makesUp = ({ earlier, later, between }: Deficit): boolean => {
    const left = later.outcome === 'refused' ? 0 : 1 + (later.remaining ?? 0);
    const missing = (earlier.remaining ?? 0) - left - between;
    const there = history.events.filter(({ from, to }) => from <= later.to && to >= earlier.from);
    return there.length >= missing;
  };
  const deficits = findDeficits(other.history, MOST_DEFICITS);
  return deficits.length > 1 && deficits.every(makesUp);
}

/** The ruling with the name at its proofs. */
export function named(ruling: Ruling, name: string | null): Ruling {
  if (name === null || !ruling.proofs) return ruling;
  return { ...ruling, proofs: ruling.proofs.map((each) => ({ ...each, diagnosis: each.diagnosis ?? name })) };
}

/** The opinion on who shares a budget, with the name at its proofs where that is what it found. */
export function nameSharing(opinion: Opinion, cases: readonly BudgetCase[]): Opinion {
  const { id, proofs } = opinion;
  if (!proofs || (id !== 'LIMIT-KEY' && id !== 'LIMIT-RW') || sharedBetween(cases, id).length === 0) return opinion;
  return { ...opinion, proofs: proofs.map((each) => ({ ...each, diagnosis: SHARED_BUDGET })) };
}
