import type { RequirementId } from '../../catalogue/requirement.ts';
import type { Event } from '../../oracle/history.ts';
import type { Exchange } from '../../trace/exchange.ts';
import type { Proof } from '../verdict.ts';
import type { Cause } from './cause.ts';
import { after, before, decided, describe, proof } from './proofs.ts';
import type { Examined } from './thresholds.ts';

const EXPECTED: Readonly<Partial<Record<RequirementId, string>>> = {
  'LIMIT-KEY': "Spending one key's budget leaves every other key's untouched.",
  'LIMIT-SCOPE': 'All reads of a key share one budget, and so do all writes.',
  'LIMIT-RW': 'Reads and writes have a budget each.',
  'LIMIT-HEADER': 'The two ways of sending a key draw on the same budget.',
  'LIMIT-EVADE': 'Nothing but the key decides which budget a request draws on.',
  'LIMIT-ANON': 'Requests without a valid key are not counted against any key.',
};

/** What a cause comes to, in words. */
export function summaryOf({ supposition }: Cause): string {
  return `The answers fit only if ${supposition}.`;
}

/** The suspect that shows it best, between the answers of the others before and after it. */
export function causeProof({ budget }: Examined, cause: Cause, received: string): Proof | null {
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
export function wholeProof({ budget }: Examined, cause: Cause): Proof {
  const own = budget.history.events.filter(decided).slice(0, 2);
  const evidence = [...own.map(({ exchange }) => exchange), ...cause.suspects.slice(0, 2)];
  const argument = [`The history of the budget is explained only if ${cause.supposition}.`];
  return proof(EXPECTED[cause.requirement] ?? '', summaryOf(cause), evidence, argument);
}
