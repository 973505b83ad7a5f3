import type { RequirementId } from '../../catalogue/requirement.ts';
import { analyse, type Findings, reach } from '../../oracle/analyse.ts';
import { type Deficit, findDeficits } from '../../oracle/capacity.ts';
import type { History } from '../../oracle/history.ts';
import type { Exchange } from '../../trace/exchange.ts';
import { type Budget, type Evidence, historyOf } from './budgets.ts';
import { charged, repeated, someBadKeys, withForeign } from './charged.ts';
import { countsByConnection, findEvasion } from './evasion.ts';
import { inside, type Stretch, stretchesOf } from './stretches.ts';
import { anonymous, counts, otherKeys, otherKind, succeeded, withBadKey, withoutKey } from './suspects.ts';

/** What would explain a budget that no mechanism explains: the one thing that its deployment does otherwise. */
export interface Cause {
  readonly requirement: RequirementId;
  /** The part of the requirement, such as a variation's name. */
  readonly part: string;
  /** In words, after "the history is explained if". */
  readonly supposition: string;
  /** The requests that the cause is about. */
  readonly suspects: readonly Exchange[];
  /** What is left to be judged once the cause is taken as given. */
  readonly findings: readonly Findings[];
  readonly reach: number;
}

/**
 * Looks for the cause by membership: which requests, taken out of the budget, split from it or charged to it, make a
 * refuted history one that a mechanism explains. Only a class whose move removes the contradiction is blamed.
 *
 * @param excluded what is not to be blamed; null: anything may be
 */
export function findCause(
  budget: Budget,
  findings: Findings,
  evidence: Evidence,
  excluded: RequirementId | null,
): Cause | null {
  const candidates: readonly (() => Cause | null)[] = [
    () => findEvasion(budget, evidence),
    () => split(budget, evidence, 'LIMIT-HEADER', 'credential', ({ credential }) => credential),
    () => split(budget, evidence, 'LIMIT-SCOPE', 'group', ({ group }) => group ?? ''),
    () => split(budget, evidence, 'LIMIT-SCOPE', 'operation', ({ operation }) => operation ?? ''),
    () => split(budget, evidence, 'LIMIT-SCOPE', 'method', ({ method }) => method),
    () => split(budget, evidence, 'LIMIT-SCOPE', 'path and query', ({ target }) => target),
    () => charged(budget, 'LIMIT-RW', 'the other kind', otherKind(budget, evidence).filter(succeeded)),
    () => charged(budget, 'LIMIT-RW', 'the other kind', otherKind(budget, evidence)),
    () => charged(budget, 'LIMIT-KEY', 'other keys', otherKeys(budget, evidence).filter(succeeded)),
    () => charged(budget, 'LIMIT-KEY', 'other keys', otherKeys(budget, evidence)),
    () => charged(budget, 'LIMIT-ANON', 'requests without a key', withoutKey(budget, evidence)),
    () => charged(budget, 'LIMIT-ANON', 'requests with a bad key', withBadKey(budget, evidence)),
    () => charged(budget, 'LIMIT-ANON', 'all requests without an accepted key', anonymous(budget, evidence)),
    () => repeated(budget, 'method', ({ method }) => method),
    () => repeated(budget, 'operation', ({ operation }) => operation ?? ''),
    () => repeated(budget, 'credential', ({ credential }) => credential),
    () => someBadKeys(budget, evidence),
    () =>
      countsByConnection(evidence)
        ? split(budget, evidence, 'LIMIT-EVADE', 'connection', ({ connection }) => `${connection}`)
        : null,
    () => byDeficits(budget, findings, evidence),
  ];
  for (const candidate of candidates) {
    const cause = candidate();
    if (cause && cause.requirement !== excluded) return cause;
  }
  return null;
}

/** Deficits of one budget that are looked at. */
const MOST_DEFICITS = 64;

/**
 * Where no supposition explains everything, the plainer question: an answer got less than an earlier one had left for it; which requests that
 * belong to no such budget were there to make up for it, each time? The smallest class that always was is blamed, if more
 * is explained with its requests than without.
 */
function byDeficits(budget: Budget, findings: Findings, evidence: Evidence): Cause | null {
  const deficits = findDeficits(budget.history, MOST_DEFICITS);
  if (deficits.length < 2) return null;
  const classes = [
    ['LIMIT-ANON', 'requests without a key', withoutKey(budget, evidence)],
    ['LIMIT-ANON', 'requests with a bad key', withBadKey(budget, evidence)],
    ['LIMIT-ANON', 'requests without an accepted key', anonymous(budget, evidence)],
    ['LIMIT-RW', 'the other kind', otherKind(budget, evidence)],
    ['LIMIT-KEY', 'other keys', otherKeys(budget, evidence)],
  ] as const;
  const stretches = stretchesOf(budget.history);
  for (const [requirement, part, suspects] of classes.toSorted((one, other) => one[2].length - other[2].length)) {
    if (!deficits.every((deficit) => makesUp(deficit, budget.history, suspects))) continue;
    if (shrinksUnseen(budget.history, suspects) || passUnseen(stretches, suspects)) continue;
    const charged = analyse(withForeign(budget.history, suspects), { depth: 'whole' });
    if (furthest(charged) <= furthest(findings)) continue;
    const supposition = `${part} are taken off the budget too`;
    return { requirement, part, supposition, suspects, findings: [findings], reach: reach(findings) };
  }
  return null;
}

/** How many requests the mechanism explains that comes furthest before it gives up. */
function furthest({ refuted }: Findings): number {
  return Math.max(0, ...refuted.map(({ explained }) => explained));
}

/**
 * Whether more suspects came and went between two answers at rest than are missing there, and this more often than requests that are counted
 * late explain: then it is not they that are taken off.
 */
function passUnseen(stretches: readonly Stretch[], suspects: readonly Exchange[]): boolean {
  const idle = stretches.filter((stretch) => inside(stretch, suspects.filter(counts)).length > stretch.missing);
  return idle.length > stretches.filter(({ missing }) => missing > 0).length / 4;
}

/** Whether suspects were there to make up for what is missing, and none came and went for which nothing is. */
function makesUp({ earlier, later, between }: Deficit, { events }: History, suspects: readonly Exchange[]): boolean {
  const gone = (earlier.remaining ?? 0) - (later.outcome === 'refused' ? 0 : 1 + (later.remaining ?? 0));
  const there = suspects.filter(({ sent, answered }) => sent <= later.to && (answered ?? sent) >= earlier.from);
  if (there.length < gone - between) return false;
  if (later.outcome === 'refused') return true;
  const inside = (from: number, to: number) => from > earlier.to && to < later.from;
  const own = events.filter(({ outcome, from, to }) => outcome === 'accepted' && inside(from, to)).length;
  const surely = there.filter((each) => each.answered !== null && counts(each) && inside(each.sent, each.answered));
  return surely.length <= gone - own;
}

/** A class with more parts than these is not taken apart one by one. */
const MOST_PARTS = 12;

function split(
  budget: Budget,
  evidence: Evidence,
  requirement: RequirementId,
  by: string,
  nameOf: (exchange: Exchange) => string,
): Cause | null {
  const parts = new Map<string, Exchange[]>();
  for (const exchange of budget.exchanges) {
    const name = nameOf(exchange);
    const part = parts.get(name) ?? [];
    parts.set(name, part);
    part.push(exchange);
  }
  if (parts.size < 2) return null;
  const largest = [...parts.values()].reduce((one, other) => (other.length > one.length ? other : one));
  const partitions = [[...parts.values()]];
  if (parts.size > 2 && parts.size <= MOST_PARTS) {
    for (const part of parts.values()) {
      partitions.push([part, budget.exchanges.filter((exchange) => !part.includes(exchange))]);
    }
  }
  for (const partition of partitions) {
    const findings = explainedApart(budget, evidence, partition);
    if (!findings) continue;
    const [first = []] = partition;
    const suspects =
      partition.length === 2 ? first : budget.exchanges.filter((exchange) => !largest.includes(exchange));
    const supposition = `each ${by} has a budget of its own`;
    return { requirement, part: by, supposition, suspects, findings, reach: 3 };
  }
  return null;
}

/** What each part shows by itself, if every part is explained; null otherwise. */
function explainedApart(
  budget: Budget,
  evidence: Evidence,
  partition: readonly (readonly Exchange[])[],
): readonly Findings[] | null {
  const findings: Findings[] = [];
  for (const part of partition) {
    const found = analyse(historyOf(budget, part, evidence), { depth: 'whole' });
    if (reach(found) < 3) return null;
    findings.push(found);
  }
  return findings;
}

/** Whether two answers in a row, with no suspect about, show that the budget shrinks by more than is counted all the same. */
function shrinksUnseen({ events }: History, suspects: readonly Exchange[]): boolean {
  return events.some((later, index) => {
    const earlier = events[index - 1];
    if (earlier?.outcome !== 'accepted' || later.outcome !== 'accepted' || earlier.to >= later.from) return false;
    if (earlier.remaining === null || later.remaining === null) return false;
    const fell = earlier.remaining - later.remaining;
    if (fell < 2 || later.from - earlier.to > 1_000_000) return false;
    const alone = events.every(
      (other) => other === earlier || other === later || other.to < earlier.from || other.from > later.to,
    );
    return alone && !suspects.some(({ sent, answered }) => sent <= later.to && (answered ?? sent) >= earlier.from);
  });
}
