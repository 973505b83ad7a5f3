import type { RequirementId } from '../../catalogue/requirement.ts';
import type { Findings } from '../../oracle/analyse.ts';
import { type Event, WINDOW } from '../../oracle/history.ts';
import type { Exchange, Kind } from '../../trace/exchange.ts';
import type { Opinion, Proof } from '../verdict.ts';
import type { Budget, Evidence } from './budgets.ts';
import type { Cause } from './cause.ts';
import { isUnstatedEvasion, sentWhileSpent } from './evasion.ts';
import { after, before, decided, describe, proof } from './proofs.ts';
import { conclude, type Ruling } from './ruling.ts';
import { type Examined, judged, nameOf } from './thresholds.ts';

const EXPECTED: Readonly<Partial<Record<RequirementId, string>>> = {
  'LIMIT-KEY': "Spending one key's budget leaves every other key's untouched.",
  'LIMIT-SCOPE': 'All reads of a key share one budget, and so do all writes.',
  'LIMIT-RW': 'Reads and writes have a budget each.',
  'LIMIT-HEADER': 'The two ways of sending a key draw on the same budget.',
  'LIMIT-EVADE': 'Nothing but the key decides which budget a request draws on.',
  'LIMIT-ANON': 'Requests without a valid key are not counted against any key.',
};

/** What there is to blame on the sharing of budgets, and what speaks for it. */
export interface SharingEvidence {
  readonly cases: readonly Examined[];
  /** Of the cases, and of budgets that need no case. */
  readonly uses: readonly Use[];
}

/** LIMIT-KEY, LIMIT-SCOPE, LIMIT-RW, LIMIT-HEADER, LIMIT-EVADE and LIMIT-ANON: which requests draw on a budget. */
export function judgeSharing({ cases, uses }: SharingEvidence): readonly Opinion[] {
  const opinion = (id: RequirementId, show: (uses: readonly Use[]) => readonly Ruling[], summary: string): Opinion => {
    const own = uses.filter(({ broken }) => broken !== id);
    const witnesses = show(own);
    const none = cases.length > 0 && !own.some(({ key }) => key !== 'restricted') ? BROKEN : untested(summary);
    return conclude(id, [...blamed(id, cases), ...(witnesses.length > 0 ? witnesses : [none])]);
  };
  const untested = (summary: string): Ruling => {
    const remedy = cases.some(({ reach }) => reach < 3) ? CORRECT_FIRST : 'Run the full plan, with at least two keys.';
    return { verdict: 'not tested', part: 'all', summary, witnesses: 0, remedy };
  };
  return [
    opinion('LIMIT-KEY', keyWitnesses, 'No two keys were used at once.'),
    opinion(
      'LIMIT-SCOPE',
      (own) => classWitnesses(own, ({ operations }) => operations),
      'No budget was used by more than one operation.',
    ),
    opinion('LIMIT-RW', kindWitnesses, 'No key was used for reads and writes at once.'),
    opinion(
      'LIMIT-HEADER',
      (own) => classWitnesses(own, ({ credentials }) => credentials),
      'No budget was used by more than one way of sending the key.',
    ),
    opinion('LIMIT-EVADE', evasionWitnesses, 'No variation was sent on a budget that was in use.'),
    opinion('LIMIT-ANON', anonymousWitnesses, 'No request without a valid key was sent while a budget was in use.'),
  ];
}

const CORRECT_FIRST = 'Correct the requirements that fail first.';

const BROKEN: Ruling = {
  verdict: 'inconclusive',
  part: 'all',
  summary: 'No budget is counted in a way that some window explains, so that nothing shows who shares it.',
  witnesses: 0,
  remedy: CORRECT_FIRST,
};

function blamed(id: RequirementId, cases: readonly Examined[]): readonly Ruling[] {
  const found = cases.flatMap((examined) =>
    [examined.cause, examined.evasion].flatMap((cause) => (cause?.requirement === id ? [{ examined, cause }] : [])),
  );
  const made = found.map(({ examined, cause }) => causeProof(examined, cause, summaryOf(cause)));
  return found.map(({ examined, cause }, index): Ruling => {
    const shown =
      made[index] ?? (index === 0 && made.every((each) => each === null) ? wholeProof(examined, cause) : null);
    return {
      verdict: 'fail',
      part: `${nameOf(examined)}: ${cause.part}`,
      summary: summaryOf(cause),
      witnesses: cause.suspects.length,
      proofs: shown ? [shown] : [],
    };
  });
}

function summaryOf({ supposition }: Cause): string {
  return `The answers fit only if ${supposition}.`;
}

/** The suspect that shows it best, between the answers of the others before and after it. */
function causeProof({ budget }: Examined, cause: Cause, received: string): Proof | null {
  const suspects = new Set(cause.suspects);
  const { history } = budget;
  const expected = EXPECTED[cause.requirement] ?? '';
  const ours = (event: Event) => decided(event) && !suspects.has(event.exchange);
  const candidates = history.events.filter(
    ({ exchange, outcome }) => suspects.has(exchange) && (outcome === 'accepted' || outcome === 'unclear'),
  );
  for (const event of candidates) {
    const previous = before(history, event, ours);
    const next = after(history, event, ours);
    const continues = previous?.outcome === 'refused' || (previous?.remaining ?? 0) <= (event.remaining ?? -1);
    if (!previous || !continues) continue;
    const argument = [describe(previous.exchange), describe(event.exchange)];
    if (next) argument.push(describe(next.exchange));
    argument.push(
      `#${event.exchange.seq} was not taken off the budget that #${previous.exchange.seq} draws on: ${cause.supposition}.`,
    );
    return proof(expected, received, [previous.exchange, event.exchange, next?.exchange], argument);
  }
  return deficitProof(history.events.filter(ours), [...suspects], expected, received, cause.supposition);
}

/** Two neighbours of which the later has less left than it should, with the fewest suspects in between: just as many as are missing, if there is such a pair. */
function deficitProof(
  own: readonly Event[],
  suspects: readonly Exchange[],
  expected: string,
  received: string,
  supposition: string,
): Proof | null {
  let best: { earlier: Event; later: Event; between: readonly Exchange[]; strange: number } | null = null;
  for (const [index, later] of own.entries()) {
    const earlier = own[index - 1];
    if (!earlier || earlier.to >= later.from || earlier.remaining === null) continue;
    const short = later.outcome === 'refused' ? earlier.remaining > 0 : (later.remaining ?? 0) < earlier.remaining - 1;
    if (!short) continue;
    const between = suspects.filter(({ sent }) => sent > earlier.from && sent < later.to);
    const left = later.outcome === 'refused' ? 0 : (later.remaining ?? 0) + 1;
    const strange = between.length === earlier.remaining - left ? 0 : suspects.length;
    if (between.length === 0 || between.length + strange >= (best?.strange ?? Number.POSITIVE_INFINITY)) continue;
    best = { earlier, later, between, strange: between.length + strange };
  }
  if (!best) return null;
  const { earlier, later, between } = best;
  const [first] = between;
  const others =
    between.length === 1
      ? `#${first?.seq}${first?.key ? ` of ${first.key}` : ''} was sent between that and the next of this budget.`
      : `${between.length} others were sent between that and the next of this budget, #${first?.seq} among them.`;
  const argument = [
    describe(earlier.exchange),
    others,
    describe(later.exchange),
    `Something else than the budget's own requests was counted: ${supposition}.`,
  ];
  return proof(expected, received, [earlier.exchange, ...between.slice(0, 3), later.exchange], argument);
}

/** Where no pair of answers shows it by itself: what it takes to explain all of them. */
function wholeProof({ budget }: Examined, cause: Cause): Proof {
  const own = budget.history.events.filter(decided).slice(0, 2);
  const evidence = [...own.map(({ exchange }) => exchange), ...cause.suspects.slice(0, 2)];
  const argument = [`The history of the budget is explained only if ${cause.supposition}.`];
  return proof(EXPECTED[cause.requirement] ?? '', summaryOf(cause), evidence, argument);
}

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

function classWitnesses(uses: readonly Use[], classesOf: (use: Use) => readonly string[]): readonly Ruling[] {
  return uses.flatMap((use): Ruling[] => {
    const names = classesOf(use);
    if (names.length < 2) return [];
    return [
      { verdict: 'pass', part: use.name, summary: `${names.join(', ')} share one budget.`, witnesses: use.plain },
    ];
  });
}

function evasionWitnesses(uses: readonly Use[]): readonly Ruling[] {
  const counts = new Map<string, number>();
  for (const { variations } of uses) {
    for (const [name, count] of variations) counts.set(name, (counts.get(name) ?? 0) + count);
  }
  return [...counts].sort().map(([part, witnesses]) =>
    witnesses > 0
      ? { verdict: 'pass', part, summary: `Requests with ${part} draw on the budget of the key.`, witnesses }
      : {
          verdict: 'not tested',
          part,
          summary: `No request with ${part} was let through or refused by its budget, which the specification leaves open.`,
          witnesses,
        },
  );
}

/** Pairs of budgets that were in use in the same minute, each of which is explained by its own requests alone. */
function keyWitnesses(uses: readonly Use[]): readonly Ruling[] {
  return uses.flatMap((one, index): Ruling[] => {
    const other = next(uses, index, ({ key, kind }) => kind === one.kind && key !== one.key);
    if (!other) return [];
    const summary = `${one.name} and ${other.name} were used at once, and each is explained by its own requests alone.`;
    return [{ verdict: 'pass', part: one.name, summary, witnesses: one.requests + other.requests }];
  });
}

function kindWitnesses(uses: readonly Use[]): readonly Ruling[] {
  return uses.flatMap((one, index): Ruling[] => {
    const other = next(uses, index, ({ key, kind }) => key === one.key && kind !== one.kind);
    if (!other) return [];
    const summary = `Reads and writes of ${one.key} were used at once, and each is explained by its own requests alone.`;
    return [{ verdict: 'pass', part: one.key, summary, witnesses: one.requests + other.requests }];
  });
}

/** The next use in the list that fits and was in the same window. */
function next(uses: readonly Use[], index: number, fits: (other: Use) => boolean): Use | null {
  const one = uses[index];
  if (!one) return null;
  for (let at = index + 1; at < uses.length; at += 1) {
    const other = uses[at];
    if (other && fits(other) && together(one, other)) return other;
  }
  return null;
}

/** Whether both were in use within one window, so that a shared budget would have shown. */
function together(one: Use, other: Use): boolean {
  return other.times.some((time) => one.times.some((from) => Math.abs(from - time) < WINDOW / 2));
}

function anonymousWitnesses(uses: readonly Use[]): readonly Ruling[] {
  return uses.flatMap(({ name, anonymous }): Ruling[] => {
    if (anonymous === 0) return [];
    const summary = `${anonymous} requests without a valid key came between, and none was counted.`;
    return [{ verdict: 'pass', part: name, summary, witnesses: anonymous }];
  });
}
