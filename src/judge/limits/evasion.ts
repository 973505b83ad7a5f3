import { analyse, type Findings, reach } from '../../oracle/analyse.ts';
import type { Event, History } from '../../oracle/history.ts';
import type { Exchange } from '../../trace/exchange.ts';
import { type Budget, type Evidence, historyOf } from './budgets.ts';
import type { Cause } from './cause.ts';
import { succeeded } from './suspects.ts';

/** A request with no variation: what the others are compared with. */
function isPlain({ variation, fault, operation }: Exchange): boolean {
  return variation === null && fault === 'none' && operation !== null;
}

/** Ways of LIMIT-EVADE of which the specification does not say that such a request succeeds. */
const UNSTATED: readonly string[] = ['query-string', 'path-case', 'trailing-slash', 'key-spaces'];

/** Whether the request tries a way of LIMIT-EVADE that the specification does not say to succeed. */
export function isUnstatedEvasion({ variation, fault }: Exchange): boolean {
  return variation !== null && fault === 'unstated' && UNSTATED.includes(variation);
}

/**
 * Whether the budget was spent while this request was under way: the plain request right before it was refused, and after
 * it one was refused before a plain one was let through.
 */
export function sentWhileSpent(request: Exchange, exchanges: readonly Exchange[]): boolean {
  let previous: Exchange | null = null;
  let next: Exchange | null = null;
  for (const other of exchanges) {
    const { sent, answered, variation, status } = other;
    if (answered === null || request.answered === null) continue;
    if (isPlain(other) && answered < request.sent && answered > (previous?.answered ?? -1)) previous = other;
    const shows = isPlain(other) || (status === 429 && variation !== request.variation);
    if (shows && sent > request.answered && sent < (next?.sent ?? Number.POSITIVE_INFINITY)) next = other;
  }
  return previous?.status === 429 && next?.status === 429;
}

/** Names of the variations of which a request succeeded while plain ones were refused. */
function namesSentWhileSpent({ exchanges }: Budget): readonly string[] {
  const names = exchanges.flatMap((each) =>
    each.variation !== null && succeeded(each) && sentWhileSpent(each, exchanges) ? [each.variation] : [],
  );
  return [...new Set(names)].sort();
}

/**
 * The variations without which a history that nothing explains is explained, as far as each of them succeeded while plain
 * requests were refused. Null where there are none.
 */
export function findEvasion(budget: Budget, evidence: Evidence): Cause | null {
  const names = namesSentWhileSpent(budget);
  if (names.length === 0) return null;
  const without = (out: ReadonlySet<string>) => {
    const rest = budget.exchanges.filter(({ variation }) => variation === null || !out.has(variation));
    return analyse(historyOf(budget, rest, evidence), { depth: 'whole' });
  };
  const guilty = new Set(names);
  let findings = without(guilty);
  if (reach(findings) < 3) return null;
  for (const name of names) {
    const fewer = new Set([...guilty].filter((other) => other !== name));
    const again = without(fewer);
    if (reach(again) < 3) continue;
    guilty.delete(name);
    findings = again;
  }
  const suspects = budget.exchanges.filter(({ variation }) => variation !== null && guilty.has(variation));
  return causeOf([...guilty], suspects, findings);
}

/**
 * Requests of which the specification does not say that they succeed (another case of the path, say), and which did so on
 * a spent budget: taken as plain accepted ones, they contradict what explains the others. What else they may be answered
 * tells nothing. Null where there are none.
 */
export function findUnstatedEvasion(budget: Budget, findings: Findings): Cause | null {
  const suspects = budget.exchanges.filter(
    (each) => isUnstatedEvasion(each) && succeeded(each) && sentWhileSpent(each, budget.exchanges),
  );
  const reached = reach(findings);
  const depth = reached === 3 ? 'whole' : 'first';
  const guilty = suspects.filter((each) => reach(analyse(withAccepted(findings.history, each), { depth })) < reached);
  const names = [...new Set(guilty.map(({ variation }) => variation ?? ''))].sort();
  return names.length === 0 ? null : causeOf(names, guilty, findings);
}

function withAccepted(history: History, exchange: Exchange): History {
  const events = history.events.map(
    (event): Event => (event.exchange === exchange ? { ...event, outcome: 'accepted' } : event),
  );
  return { ...history, events };
}

function causeOf(names: readonly string[], suspects: readonly Exchange[], findings: Findings): Cause {
  const part = names.join(', ');
  return {
    requirement: 'LIMIT-EVADE',
    part,
    supposition: `requests with ${part} do not draw on the budget of the key`,
    suspects,
    findings: [findings],
    reach: reach(findings),
  };
}

/** So many fresh connections, one after the other, are no accident of a few unshared counters. */
const FRESH_CONNECTIONS = 3;
/** µs within which they are to lie: less than a window. */
const TOGETHER = 55_000_000;

/**
 * Whether some budget began anew with connection after connection: first requests on several of them, none under way at
 * the same time as another, that all say that they are the first of one window, or each of a window of its own. In bursts
 * each request has a connection of its own, so that a budget for each connection would explain whatever a burst shows; but then
 * what went down one connection must be explained by itself, too, whichever budget it belongs to.
 */
export function countsByConnection(evidence: Evidence): boolean {
  const known = BY_CONNECTION.get(evidence) ?? (beginsWithEach(evidence) && isExplainedByConnection(evidence));
  BY_CONNECTION.set(evidence, known);
  return known;
}

const BY_CONNECTION = new WeakMap<Evidence, boolean>();

function beginsWithEach({ budgets }: Evidence): boolean {
  return budgets.some(({ history }) => {
    const seen = new Set<number>();
    const fresh = history.events.filter(({ exchange, outcome, remaining }) => {
      if (seen.has(exchange.connection)) return false;
      seen.add(exchange.connection);
      return outcome === 'accepted' && remaining === history.shown - 1;
    });
    return fresh.some((first) => beginsAnew(oneByOne(fresh, first.from)));
  });
}

function isExplainedByConnection(evidence: Evidence): boolean {
  return evidence.budgets.every((budget) => {
    const connections = Map.groupBy(budget.exchanges, ({ connection }) => connection);
    return [...connections.values()].every(
      (own) => own.length < 2 || reach(analyse(historyOf(budget, own, evidence), { depth: 'whole' })) === 3,
    );
  });
}

/** Enough of them with one marker (one window, and so several budgets), or with as many markers as fit no minute. */
function beginsAnew(events: readonly Event[]): boolean {
  const markers = new Map<number | null, number>();
  for (const { reset } of events) markers.set(reset, (markers.get(reset) ?? 0) + 1);
  return markers.size >= FRESH_CONNECTIONS || [...markers.values()].some((count) => count >= FRESH_CONNECTIONS);
}

function oneByOne(events: readonly Event[], start: number): readonly Event[] {
  const chosen: Event[] = [];
  for (const event of events) {
    if (event.from < start || event.from > start + TOGETHER) continue;
    const last = chosen[chosen.length - 1];
    if (!last || event.from > last.to) chosen.push(event);
  }
  return chosen;
}
