import { markedIn } from '../../oracle/backward.ts';
import { type Event, type History, limitOf, type Range } from '../../oracle/history.ts';
import { nameOf as mechanismName } from '../../oracle/mechanism-name.ts';
import { singleInteger } from '../../oracle/single-integer.ts';
import type { CondensedBudgets } from '../../trace/condensed.ts';
import type { Kind } from '../../trace/exchange.ts';
import { type ExplainedHistory, nameOf, type Subject } from './subject.ts';

/** Sums over the requests of an explained budget, or of many such budgets. */
export interface Counts {
  /** The name of the budget, or how many budgets there are. */
  readonly part: string;
  readonly kind: Kind;
  /** Names of the mechanisms that explain the budgets. */
  readonly mechanisms: readonly string[];
  readonly requests: number;
  readonly accepted: number;
  readonly refused: number;
  /** Answers with a usable Remaining; refusals among them; and the first of these that does not say 0. */
  readonly remaining: number;
  readonly refusedRemaining: number;
  readonly late: number | null;
  /** Answers with a readable marker, and whether a `Date` header shows the target's clock. */
  readonly markers: number;
  readonly clockKnown: boolean;
  /** Whether answers of the budget have readable values of these headers, whatever explains them. */
  readonly usable: { readonly remaining: boolean; readonly reset: boolean };
  /** Requests without an answer. */
  readonly lost: number;
  /** Whether some refusal shows the limit exactly. */
  readonly exact: boolean;
  /**
   * The most requests that were under way at the same time, whether their answers show how they were counted, and
   * whether two of them had the same Remaining.
   */
  readonly atOnce: { readonly requests: number; readonly telling: boolean; readonly repeats: boolean };
  /** The length of the window according to its answers, in µs; null if no spent budget was seen to come back. */
  readonly window: Range | null;
}

/** The sums over what explains a budget: block by block, if it is several. */
export function countsOf(subject: Subject): Counts {
  const { budget, explained, window } = subject;
  const events = explained.flatMap(({ history }) => history.events);
  const said = events.filter(({ remaining }) => remaining !== null);
  const refused = said.filter(({ outcome }) => outcome === 'refused');
  const biggest = explained.toSorted((one, other) => other.history.events.length - one.history.events.length)[0];
  return {
    part: nameOf(subject),
    kind: budget.kind,
    mechanisms: [...new Set(explained.map(({ explanation }) => mechanismName(explanation.variant.mechanism)))],
    requests: events.length,
    accepted: count(events, 'accepted'),
    refused: count(events, 'refused'),
    remaining: said.length,
    refusedRemaining: refused.length,
    late: refused.find(({ remaining }) => remaining !== 0)?.exchange.seq ?? null,
    markers: explained.reduce((sum, { history }) => sum + markedIn(history.events).length, 0),
    clockKnown: explained.every(({ history }) => Number.isFinite(history.offset.low)),
    usable: {
      remaining: budget.history.events.some((each) => isUsable(each, 'remaining')),
      reset: budget.history.events.some((each) => isUsable(each, 'reset')),
    },
    lost: events.filter(({ exchange }) => exchange.status === null).length,
    exact: explained.some((each) => each.history.events.some((event) => showsThreshold(event, each))),
    atOnce: crowdOf(biggest?.history),
    window,
  };
}

/**
 * The counts of budgets that were not kept. Their answers have all three headers, each refusal says 0, and fixed
 * windows refuse nothing before exactly the limit was counted.
 *
 * @param clockKnown whether the run has `Date` headers that agree
 */
export function countsOfCondensed(group: CondensedBudgets, clockKnown: boolean): Counts {
  const { kind, mechanism, budgets, accepted, refused, atOnce } = group;
  const requests = accepted + refused;
  return {
    part: `${budgets} more keys, ${kind}`,
    kind,
    mechanisms: [mechanismName(mechanism)],
    requests,
    accepted,
    refused,
    remaining: requests,
    refusedRemaining: refused,
    late: null,
    markers: requests,
    clockKnown,
    usable: { remaining: true, reset: true },
    lost: 0,
    exact: refused > 0,
    atOnce: { requests: atOnce, telling: true, repeats: false },
    window: null,
  };
}

/** What does not surely belong to the budget is not read, but carries the header all the same. */
function isUsable(event: Event, header: 'remaining' | 'reset'): boolean {
  const { outcome, exchange } = event;
  return event[header] !== null || (outcome === 'unclear' && singleInteger(exchange.headers[header]) !== null);
}

function count(events: readonly Event[], wanted: Event['outcome']): number {
  return events.filter(({ outcome }) => outcome === wanted).length;
}

/**
 * Whether a refusal shows the limit exactly: the mechanism allows at most the limit before it, or it is the first
 * refusal after exactly the limit, or an accepted request had left 0. Use before the run, which nobody saw, shows
 * nothing: the requests of the run themselves must be as many.
 */
function showsThreshold(refusal: Event, { history, explanation }: ExplainedHistory): boolean {
  const { events, limit, prior, kind } = history;
  // What shows another limit, which a deviation has, shows nothing about this one.
  if (refusal.outcome !== 'refused' || limit !== limitOf(kind)) return false;
  const before = events.filter((event) => event !== refusal && event.from <= refusal.to);
  const accepted = count(before, 'accepted');
  const maybe = before.filter(({ outcome }) => outcome === 'failed' || outcome === 'unclear').length;
  const areOwn = (prior?.high ?? 0) === 0 || accepted + maybe >= limit;
  if (areOwn && explanation.model.alternatives(refusal).some(({ high }) => high === limit)) return true;
  if (accepted <= limit && accepted + maybe === limit) return true;
  return before.some(({ outcome, remaining, to }) => outcome === 'accepted' && remaining === 0 && to < refusal.from);
}

function crowdOf(history: History | undefined): Counts['atOnce'] {
  const crowd = largestCrowd(history?.events ?? []);
  const values = crowd.flatMap(({ outcome, remaining }) =>
    outcome === 'accepted' && remaining !== null ? [remaining] : [],
  );
  return {
    requests: crowd.length,
    telling: crowd.some(({ outcome, remaining }) => outcome === 'refused' || remaining !== null),
    repeats: new Set(values).size < values.length,
  };
}

/** The most requests that were all under way at one moment. */
function largestCrowd(events: readonly Event[]): readonly Event[] {
  const answered = events.filter(({ outcome }) => outcome === 'accepted' || outcome === 'refused');
  const ends = Float64Array.from(answered, ({ to }) => to).sort();
  let moment = 0;
  let most = 0;
  let ended = 0;
  for (const [index, { from }] of answered.entries()) {
    while ((ends[ended] ?? Number.POSITIVE_INFINITY) < from) ended++;
    if (index + 1 - ended <= most) continue;
    most = index + 1 - ended;
    moment = index;
  }
  const last = answered[moment];
  return last ? answered.slice(0, moment + 1).filter(({ to }) => to >= last.from) : [];
}
