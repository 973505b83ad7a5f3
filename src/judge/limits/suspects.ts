import type { Exchange } from '../../trace/exchange.ts';
import type { Budget, Evidence } from './budgets.ts';

/** Whether a request would surely be taken off, if its class were: it was let through, or none of its class is. */
export function counts(exchange: Exchange): boolean {
  return succeeded(exchange) || exchange.status === 401;
}

/** Whether it was let through. */
export function succeeded({ status }: Exchange): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** Refused and failed requests, too: a counter that is shared may go on counting. */
function answered({ status }: Exchange): boolean {
  return status !== null && status !== 401;
}

export function otherKind(budget: Budget, evidence: Evidence): readonly Exchange[] {
  const others = evidence.budgets.filter(({ key, kind }) => key === budget.key && kind !== budget.kind);
  return others.flatMap(({ all }) => all.filter(answered));
}

export function otherKeys(budget: Budget, evidence: Evidence): readonly Exchange[] {
  const others = evidence.budgets.filter(({ key, kind }) => key !== budget.key && kind === budget.kind);
  return others.flatMap(({ all }) => all.filter(answered));
}

export function anonymous(budget: Budget, evidence: Evidence): readonly Exchange[] {
  return evidence.anonymous.filter(({ kind, answered }) => kind === budget.kind && answered !== null);
}

export function withoutKey(budget: Budget, evidence: Evidence): readonly Exchange[] {
  return anonymous(budget, evidence).filter(({ fault }) => fault === 'no-key');
}

export function withBadKey(budget: Budget, evidence: Evidence): readonly Exchange[] {
  return anonymous(budget, evidence).filter(({ fault }) => fault === 'bad-key');
}
