import { LIMITS } from '../catalogue/limits.ts';
import type { RequirementId } from '../catalogue/requirement.ts';
import { type Exchange, isFullKey, plainExchange } from '../trace/exchange.ts';
import type { Trace } from '../trace/trace.ts';
import { isOfOneWindow } from './marked-windows.ts';
import { budgetOf, byItself, inSteps, requestsOf, type Sequence } from './sequence.ts';
import { outcomeOf, wrongOf } from './shown-elsewhere.ts';
import type { Evidence } from './standing.ts';
import { formOf } from './ways.ts';
import { FIRST_WINDOW_US, windowsOf } from './whole-budgets.ts';

/**
 * The sequences of failures that refusals show by themselves, one for each kind of requests: all that spent a budget in
 * one window of the run, and then a request for each way. Null if some way has none: if the run spent no such budget in
 * one window, or refused it without a full key alone.
 */
export function refusedWays(id: RequirementId, proofs: readonly Evidence[], trace: Trace): readonly Sequence[] | null {
  const wrong = proofs.flatMap(({ evidence }) => wrongOf(evidence) ?? []);
  const plainFirst = wrong.toSorted((one, other) => oddness(one) - oddness(other));
  const all = [...Map.groupBy(plainFirst, (each) => wayOf(id, each)).values()].flatMap(([first]) => first ?? []);
  // Only budgets of full keys are spent again.
  const ways = all.filter(({ key }) => isFullKey(key));
  const alike = (each: Exchange): string => `${each.operation} ${outcomeOf(each)}`;
  const covered = new Set(ways.map(alike));
  if (all.some((each) => !covered.has(alike(each)))) return null;
  const sequences = [...Map.groupBy(ways, ({ kind }) => kind).values()].map((own) => spending(id, own, trace));
  return sequences.some((each) => each === null) ? null : sequences.filter((each) => each !== null);
}

/**
 * What is refused gets its headers whatever else is odd about it, but whether a key is accepted depends on its form.
 */
function wayOf(id: RequirementId, each: Exchange): string | null {
  return id.startsWith('HDR-') ? `${each.operation} ${each.kind} ${each.credential} ${outcomeOf(each)}` : formOf(each);
}

/** The request with its key and fault, to the operation of another one. */
function insteadOf(each: Exchange, { operation, group, pair, method, target }: Exchange): Exchange {
  return { ...plainExchange(each), operation, group, pair, method, target };
}

function oddness({ fault, variation, key }: Exchange): number {
  return Number(!isFullKey(key)) + Number(fault !== 'none') + Number(variation !== null);
}

function spending(id: RequirementId, ways: readonly Exchange[], trace: Trace): Sequence | null {
  const { exchanges, header } = trace;
  const kind = ways[0]?.kind;
  const budgets = new Set(exchanges.filter((each) => each.kind === kind && isFullKey(each.key)).map(budgetOf));
  const [spent] = [...budgets]
    .flatMap((budget) => windowsOf(new Set([budget]), trace, FIRST_WINDOW_US))
    .flatMap((window) => {
      const last = window.findIndex(({ status }) => status === 429);
      const own = window.slice(0, last + 1);
      return last >= LIMITS[window[0]?.kind ?? 'read'] && isOfOneWindow(own, trace.header.epoch) ? [own] : [];
    })
    .toSorted((one, other) => one.length - other.length);
  const key = spent?.[0]?.key ?? null;
  if (!spent || key === null) return null;
  // What must be prepared cannot be once the budget is spent. Whether a key is accepted does not depend on the
  // operation.
  const prepared = new Set(header.profile.operations.flatMap(({ id, prepare }) => (prepare.length > 0 ? [id] : [])));
  const isPossible = ({ operation }: Exchange): boolean => operation === null || !prepared.has(operation);
  const other = spent.find((each) => each.fault === 'none' && each.operation !== null && isPossible(each));
  const possible = ways.flatMap((each) => {
    if (isPossible(each)) return [each];
    return id.startsWith('HDR-') || !other ? [] : [insteadOf(each, other)];
  });
  const untried = ways.length - possible.length;
  const since = Math.max(...spent.map(({ sent }) => sent)) + 1;
  const asked = possible.map((each, index) => ({
    ...plainExchange(byItself(each)),
    sent: since + index,
    answered: since + index,
    ...(isFullKey(each.key) && { key }),
  }));
  const steps = [...inSteps(spent, true), ...inSteps(asked, false)];
  return {
    steps,
    pace: 'at once',
    window: null,
    shows: true,
    isCertain: ways.every((each) => isSoAlways(each, trace)),
    ...(untried > 0 && { untried }),
  };
}

/** Whether all refusals of such requests are alike. */
function isSoAlways(way: Exchange, { exchanges }: Trace): boolean {
  const form = (each: Exchange): string =>
    JSON.stringify([each.operation, each.fault, each.credential, each.variation, each.kind, each.status]);
  return exchanges.every((each) => form(each) !== form(way) || outcomeOf(each) === outcomeOf(way));
}

/**
 * Whether requests that were to be refused were not: all that need no other fault for it, or, where the headers of
 * refusals are asked for, any of them. Then their answers say nothing.
 */
export function spentNone(id: RequirementId, exchanges: readonly Exchange[], sequence: Sequence): boolean {
  const refused = (all: readonly Exchange[]): readonly Exchange[] => all.filter(({ status }) => status === 429);
  const plain = (all: readonly Exchange[]): boolean => refused(all).some(({ fault }) => fault === 'none');
  const then = requestsOf(sequence);
  if (plain(then) && !plain(exchanges)) return true;
  const asked = (each: Exchange): string => `${each.operation} ${each.fault} ${each.variation} ${each.credential}`;
  const now = new Set(refused(exchanges).map(asked));
  return id.startsWith('HDR-') && refused(then).some((each) => !now.has(asked(each)));
}
