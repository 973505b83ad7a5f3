import type { RequirementId } from '../../catalogue/requirement.ts';
import type { Findings } from '../../oracle/analyse.ts';
import { type Event, WINDOW } from '../../oracle/history.ts';
import type { Kind } from '../../trace/exchange.ts';
import type { Budget, Evidence } from './budgets.ts';
import { isUnstatedEvasion, sentWhileSpent } from './evasion.ts';
import { type Examined, judged, nameOf } from './thresholds.ts';

/** Requests that would have shown a budget of their own: refused, or with others counted before them. */
function telling(findings: Findings): readonly Event[] {
  return findings.history.events.filter((event) => {
    if (event.outcome === 'refused') return true;
    if (event.outcome !== 'accepted' || event.remaining === null) return false;
    return findings.best.model.alternatives(event).every(({ low }) => low > 0);
  });
}

/** How a budget was used by requests that would have shown a budget of their own. */
export interface Use {
  readonly name: string;
  readonly key: string;
  readonly kind: Kind;
  readonly requests: number;
  /** When the first of them were sent, in µs of the run's clock. */
  readonly times: readonly number[];
  /** Those without a variation, and their operations and ways of sending the key. */
  readonly plain: number;
  readonly operations: readonly string[];
  readonly credentials: readonly string[];
  /** How many show each way of LIMIT-EVADE. */
  readonly variations: ReadonlyMap<string, number>;
  /** Requests without a valid key that came between its own. */
  readonly anonymous: number;
  /** The requirement of which a failure explains its counts, and for which it does not speak; null: they need none. */
  readonly broken: RequirementId | null;
}

/** So many requests of a budget are enough to see when it was in use. */
const MOST_COMPARED = 1_000;

/** Null where the counts of the budget are not explained, so that nothing is known to have been taken off it. */
export function useOf(examined: Examined, evidence: Evidence): Use | null {
  const { disturbed, budget, cause } = examined;
  const findings = judged(examined);
  if (disturbed || !(findings.remaining || findings.whole.length > 0)) return null;
  const events = telling(findings);
  const plain = events.filter(({ exchange }) => exchange.variation === null);
  return {
    name: nameOf(examined),
    key: budget.key,
    kind: budget.kind,
    requests: events.length,
    times: events.slice(0, MOST_COMPARED).map(({ from }) => from),
    plain: plain.length,
    operations: [...new Set(plain.map(({ exchange }) => exchange.operation ?? ''))].sort(),
    credentials: [...new Set(plain.map(({ exchange }) => exchange.credential))].sort(),
    variations: variationsOf(budget, events),
    anonymous: anonymousAmong(examined, events, evidence),
    broken: cause?.requirement ?? null,
  };
}

/** Variations that were sent while they could show a budget of their own. */
function variationsOf({ exchanges }: Budget, events: readonly Event[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const add = (name: string, more: number) => counts.set(name, (counts.get(name) ?? 0) + more);
  const connections = new Set(events.map(({ exchange }) => exchange.connection));
  if (connections.size > 1) add('new-connection', connections.size);
  for (const { exchange } of events) if (exchange.variation !== null) add(exchange.variation, 1);
  for (const each of exchanges) {
    if (each.variation === null || !isUnstatedEvasion(each)) continue;
    add(each.variation, each.status === 429 && sentWhileSpent(each, exchanges) ? 1 : 0);
  }
  return counts;
}

function anonymousAmong({ findings, budget }: Examined, events: readonly Event[], { anonymous }: Evidence): number {
  return anonymous.filter(
    ({ answered, fault, kind, sent }) =>
      answered !== null &&
      fault !== 'none' &&
      kind === budget.kind &&
      events.some(({ from }) => from > sent && from < sent + WINDOW / 2) &&
      findings.history.events.some(({ from }) => from < sent),
  ).length;
}
