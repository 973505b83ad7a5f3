import type { RequirementId } from '../../catalogue/requirement.ts';
import { type Event, WINDOW } from '../../oracle/history.ts';
import type { Exchange } from '../../trace/exchange.ts';
import type { Opinion, Proof } from '../verdict.ts';
import type { Evidence } from './budgets.ts';
import type { Cause } from './cause.ts';
import { isUnstatedEvasion, sentWhileSpent } from './evasion.ts';
import { after, before, decided, describe, proof } from './proofs.ts';
import { conclude, type Ruling } from './ruling.ts';
import { type Examined, nameOf } from './thresholds.ts';

const EXPECTED: Readonly<Partial<Record<RequirementId, string>>> = {
  'LIMIT-KEY': "Spending one key's budget leaves every other key's untouched.",
  'LIMIT-SCOPE': 'All reads of a key share one budget, and so do all writes.',
  'LIMIT-RW': 'Reads and writes have a budget each.',
  'LIMIT-HEADER': 'The two ways of sending a key draw on the same budget.',
  'LIMIT-EVADE': 'Nothing but the key decides which budget a request draws on.',
  'LIMIT-ANON': 'Requests without a valid key are not counted against any key.',
};

/** LIMIT-KEY, LIMIT-SCOPE, LIMIT-RW, LIMIT-HEADER, LIMIT-EVADE and LIMIT-ANON: which requests draw on a budget. */
export function judgeSharing(cases: readonly Examined[], evidence: Evidence): readonly Opinion[] {
  return [
    conclude('LIMIT-KEY', [...blamed('LIMIT-KEY', cases), ...keyWitnesses(cases)]),
    conclude('LIMIT-SCOPE', [
      ...blamed('LIMIT-SCOPE', cases),
      ...classWitnesses(cases, 'operation', operationOf, 'LIMIT-SCOPE'),
    ]),
    conclude('LIMIT-RW', [...blamed('LIMIT-RW', cases), ...kindWitnesses(cases)]),
    conclude('LIMIT-HEADER', [
      ...blamed('LIMIT-HEADER', cases),
      ...classWitnesses(cases, 'way of sending the key', credentialOf, 'LIMIT-HEADER'),
    ]),
    conclude('LIMIT-EVADE', [...blamed('LIMIT-EVADE', cases), ...evasionWitnesses(cases)]),
    conclude('LIMIT-ANON', [...blamed('LIMIT-ANON', cases), ...anonymousWitnesses(cases, evidence)]),
  ];
}

function blamed(id: RequirementId, cases: readonly Examined[]): readonly Ruling[] {
  return cases.flatMap((examined) =>
    [examined.cause, examined.evasion].flatMap((cause): Ruling[] => {
      if (cause?.requirement !== id) return [];
      const summary = `The answers fit only if ${cause.supposition}.`;
      const part = `${nameOf(examined)}: ${cause.part}`;
      const proofs = [causeProof(examined, cause, summary)];
      return [{ verdict: 'fail', part, summary, witnesses: cause.suspects.length, proofs }];
    }),
  );
}

/** The suspect that shows it best, between the answers of the others before and after it. */
function causeProof({ budget }: Examined, cause: Cause, received: string): Proof {
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

/** Two neighbours of which the later has less left than it should, and the suspects in between. */
function deficitProof(
  own: readonly Event[],
  suspects: readonly Exchange[],
  expected: string,
  received: string,
  supposition: string,
): Proof {
  for (const [index, later] of own.entries()) {
    const earlier = own[index - 1];
    if (!earlier || earlier.to >= later.from || earlier.remaining === null) continue;
    const short = later.outcome === 'refused' ? earlier.remaining > 0 : (later.remaining ?? 0) < earlier.remaining - 1;
    const between = suspects.filter(({ sent }) => sent > earlier.from && sent < later.to);
    if (!short || between.length === 0) continue;
    const argument = [
      describe(earlier.exchange),
      `${between.length} other requests were sent before the next of this budget, #${between[0]?.seq} among them.`,
      describe(later.exchange),
      `Something else than the budget's own requests was counted: ${supposition}.`,
    ];
    return proof(expected, received, [earlier.exchange, ...between.slice(0, 3), later.exchange], argument);
  }
  const first = own.slice(0, 2).map(({ exchange }) => exchange);
  return proof(
    expected,
    received,
    [...first, ...suspects.slice(0, 2)],
    [`The history of the budget is explained only if ${supposition}.`],
  );
}

/** Budgets whose counts are explained, so that each request in them is known to have been taken off. */
function sound(cases: readonly Examined[]): readonly Examined[] {
  return cases.filter(({ findings, disturbed }) => !disturbed && (findings.remaining || findings.whole.length > 0));
}

const tellingOf = new WeakMap<Examined, readonly Event[]>();

/** Requests that would have shown a budget of their own: refused, or with others counted before them. */
function telling(examined: Examined): readonly Event[] {
  const known = tellingOf.get(examined) ?? findTelling(examined);
  tellingOf.set(examined, known);
  return known;
}

function findTelling({ findings }: Examined): readonly Event[] {
  return findings.history.events.filter((event) => {
    if (event.outcome === 'refused') return true;
    if (event.outcome !== 'accepted' || event.remaining === null) return false;
    return findings.best.model.alternatives(event).every(({ low }) => low > 0);
  });
}

function operationOf({ operation }: Exchange): string | null {
  return operation;
}

function credentialOf({ credential }: Exchange): string | null {
  return credential;
}

function classWitnesses(
  cases: readonly Examined[],
  what: string,
  nameOfClass: (exchange: Exchange) => string | null,
  id: RequirementId,
): readonly Ruling[] {
  const rulings = sound(cases).flatMap((examined): Ruling[] => {
    const plain = telling(examined).filter(({ exchange }) => exchange.variation === null);
    const names = [...new Set(plain.map(({ exchange }) => nameOfClass(exchange) ?? ''))].sort();
    if (names.length < 2) return [];
    const summary = `${names.join(', ')} share one budget.`;
    return [{ verdict: 'pass', part: nameOf(examined), summary, witnesses: plain.length }];
  });
  return rulings.length > 0 ? rulings : [untested(cases, id, `No budget was used by more than one ${what}.`)];
}

function untested(cases: readonly Examined[], _id: RequirementId, summary: string): Ruling {
  const broken = cases.length > 0 && sound(cases).length === 0;
  return broken
    ? {
        verdict: 'inconclusive',
        part: 'all',
        summary: 'No budget is counted in a way that some window explains, so that nothing shows who shares it.',
        witnesses: 0,
        remedy: 'Correct the requirements that fail first.',
      }
    : {
        verdict: 'not tested',
        part: 'all',
        summary,
        witnesses: 0,
        remedy: 'Run the full plan with at least two keys.',
      };
}

/** Variations that were sent while they could show a budget of their own. */
function evasionWitnesses(cases: readonly Examined[]): readonly Ruling[] {
  const counts = new Map<string, number>();
  const add = (name: string, more: number) => counts.set(name, (counts.get(name) ?? 0) + more);
  for (const examined of sound(cases)) {
    const connections = new Set(telling(examined).map(({ exchange }) => exchange.connection));
    if (connections.size > 1) add('new-connection', connections.size);
    for (const { exchange } of telling(examined)) if (exchange.variation !== null) add(exchange.variation, 1);
    const { exchanges } = examined.budget;
    for (const each of exchanges) {
      if (each.variation === null || !isUnstatedEvasion(each)) continue;
      add(each.variation, each.status === 429 && sentWhileSpent(each, exchanges) ? 1 : 0);
    }
  }
  if (counts.size === 0) return [untested(cases, 'LIMIT-EVADE', 'No variation was sent on a budget that was in use.')];
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
function keyWitnesses(cases: readonly Examined[]): readonly Ruling[] {
  const list = sound(cases);
  const rulings = list.flatMap((one, index): Ruling[] => {
    const other = list
      .slice(index + 1)
      .find(
        (each) => each.budget.kind === one.budget.kind && each.budget.key !== one.budget.key && together(one, each),
      );
    if (!other) return [];
    const summary = `${nameOf(one)} and ${nameOf(other)} were used at once, and each is explained by its own requests alone.`;
    return [{ verdict: 'pass', part: nameOf(one), summary, witnesses: telling(one).length + telling(other).length }];
  });
  return rulings.length > 0 ? rulings : [untested(cases, 'LIMIT-KEY', 'No two keys were used at once.')];
}

function kindWitnesses(cases: readonly Examined[]): readonly Ruling[] {
  const list = sound(cases);
  const rulings = list.flatMap((one, index): Ruling[] => {
    const other = list
      .slice(index + 1)
      .find(
        (each) => each.budget.key === one.budget.key && each.budget.kind !== one.budget.kind && together(one, each),
      );
    if (!other) return [];
    const summary = `Reads and writes of ${one.budget.key} were used at once, and each is explained by its own requests alone.`;
    return [{ verdict: 'pass', part: one.budget.key, summary, witnesses: telling(one).length + telling(other).length }];
  });
  return rulings.length > 0 ? rulings : [untested(cases, 'LIMIT-RW', 'No key was used for reads and writes at once.')];
}

/** So many requests of a budget are enough to see when it was in use. */
const MOST_COMPARED = 1_000;

/** Whether both were in use within one window, so that a shared budget would have shown. */
function together(one: Examined, other: Examined): boolean {
  const first = telling(one).slice(0, MOST_COMPARED);
  return telling(other)
    .slice(0, MOST_COMPARED)
    .some((event) => first.some(({ from }) => Math.abs(from - event.from) < WINDOW / 2));
}

function anonymousWitnesses(cases: readonly Examined[], { anonymous }: Evidence): readonly Ruling[] {
  const answered = anonymous.filter(({ answered: at, fault }) => at !== null && fault !== 'none');
  const rulings = sound(cases).flatMap((examined): Ruling[] => {
    const events = telling(examined);
    const among = answered.filter(
      ({ kind, sent }) =>
        kind === examined.budget.kind &&
        events.some(({ from }) => from > sent && from < sent + WINDOW / 2) &&
        examined.findings.history.events.some(({ from }) => from < sent),
    );
    if (among.length === 0) return [];
    const summary = `${among.length} requests without a valid key came between, and none was counted.`;
    return [{ verdict: 'pass', part: nameOf(examined), summary, witnesses: among.length }];
  });
  return rulings.length > 0
    ? rulings
    : [untested(cases, 'LIMIT-ANON', 'No request without a valid key was sent while a budget was in use.')];
}
