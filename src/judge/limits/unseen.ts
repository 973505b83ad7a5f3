import { analyse, reach } from '../../oracle/analyse.ts';
import { below, upTo } from '../../oracle/census.ts';
import type { Event, History } from '../../oracle/history.ts';
import type { Exchange } from '../../trace/exchange.ts';
import { type Beside, findBeside, isShort } from './beside-others.ts';
import { type BudgetCase, isThorough } from './budget-case.ts';
import type { Evidence } from './budgets.ts';
import { AFTERMATH, CLASSES } from './classes.ts';
import { type Stretch, stretchesOf } from './stretches.ts';

/**
 * Whether others used a key during the run, or its deployment counts wrongly: both take more off a budget than the run
 * sent. What tells them apart is when. A deployment that counts wrongly takes more off when it is asked, so that what is missing
 * goes with some class of requests: the budget's own, those of one status or operation, those of another budget. What others
 * send comes as time goes by, whatever the run does, and on the keys that they hold. So the two are weighed as the
 * chances of seeing what is missing where it was seen: spread over time, or over the requests of the class that fits best.
 */
export interface Unseen {
  /** The stretches in which something is missing, those with the fewest own requests first. */
  readonly stretches: readonly Stretch[];
  /** How many requests of others there were at least. */
  readonly missing: number;
  /** Keys whose budgets of the kind are in order, where nothing but these speaks for others; else left out. */
  readonly inOrder?: readonly string[];
}

/** What shows it, in words. */
export function describeUnseen({ stretches: [plainest], missing, inOrder }: Unseen): string {
  const shown = plainest
    ? ` (between #${plainest.earlier.exchange.seq} and #${plainest.later.exchange.seq}, ${plainest.missing} of them)`
    : '';
  if (inOrder) {
    const least = `at least ${missing} ${missing === 1 ? 'request' : 'requests'}`;
    return `Others seem to use the key: ${least} that the run did not send were taken off the budget${shown}, and nothing is missing from that of ${inOrder.join(' and ')}.`;
  }
  const requests = missing === 1 ? '1 request' : `at least ${missing} requests`;
  return `Others used the key during the run: ${requests} that the run did not send were taken off the budget${shown}, at times that have nothing to do with what the run sent.`;
}

/** Natural logarithm of how much likelier others have to be than any defect: a hundred times. */
const LIKELIER = Math.log(100);

/** A stretch in which much is missing is one event and not many: it weighs as no more than this, on average. */
const MOST_WEIGHT = 3;

/** Where no budget of the kind is in order, so many stretches have to speak for others. */
const FEWEST_ALONE = 3;

/**
 * Budgets that nothing explains, save that others used the key: they are no failure, and nothing can be said of them. A cause that
 * explains everything stands, and so does whatever others cannot have done: let through too much, or move a marker.
 */
export function excuseOthers(cases: readonly BudgetCase[], evidence: Evidence): readonly BudgetCase[] {
  if (!isThorough(evidence)) return cases;
  return cases.map((each) => {
    if (!isShort(each)) return each;
    const unseen = each.cause?.reach === 3 ? null : findUnseen(each, cases, evidence);
    // Use before the run excuses this budget; that it went on leaves more in doubt.
    if (each.disturbed) return unseen ? { ...each, unseen } : each;
    const { history } = each.budget;
    const leaves = (most: number): boolean => each.reach === 3 || explainedByOthers(history, most);
    if (unseen && leaves(mostLikely(unseen, history))) return excused(each, unseen);
    const beside = findBeside(each, cases, othersInOrder(each, cases));
    return beside && leaves(beside.missing) ? excused(each, unseenBeside(beside)) : each;
  });
}

function excused(each: BudgetCase, unseen: Unseen): BudgetCase {
  const plain = { cause: null, evasion: null, otherLimit: null, otherWindow: null, window: null };
  return { ...each, ...plain, disturbed: true, unseen };
}

function unseenBeside({ shortages, missing, inOrder }: Beside): Unseen {
  return { stretches: shortages, missing, inOrder };
}

/** Budgets of the kind that other keys have, and that are in order. */
function othersInOrder({ budget: { key, kind } }: BudgetCase, cases: readonly BudgetCase[]): readonly BudgetCase[] {
  return cases.filter(({ budget, ...rest }) => {
    return budget.kind === kind && budget.key !== key && isInOrder({ budget, ...rest });
  });
}

/** Whether a budget was spent and shows that nothing is taken off but what the run sent, with no allowance for earlier use. */
function isInOrder(each: BudgetCase): boolean {
  if (each.cause || each.disturbed || each.otherLimit || each.findings.history.prior || isShort(each)) return false;
  return each.budget.history.events.some(({ outcome }) => outcome === 'refused');
}

function findUnseen(each: BudgetCase, cases: readonly BudgetCase[], evidence: Evidence): Unseen | null {
  const { budget } = each;
  const stretches = stretchesOf(budget.history);
  const short = stretches.filter(({ missing }) => missing > 0);
  const missing = short.reduce((sum, each) => sum + each.missing, 0);
  const inOrder = othersInOrder(each, cases);
  if (short.length < (inOrder.length > 0 ? 1 : FEWEST_ALONE)) return null;
  const compared = inOrder.flatMap(({ budget: other }) => other.exchanges);
  const weight = Math.min(1, (MOST_WEIGHT * short.length) / missing);
  const byTime = logLikelihood(stretches, stretches.map(lengthOf), 0);
  const byRequests = exposures(budget.exchanges, compared, stretches, evidence, budget).map(({ counts, elsewhere }) =>
    logLikelihood(stretches, counts, elsewhere),
  );
  if (weight * (byTime - Math.max(...byRequests)) < LIKELIER) return null;
  return { stretches: short.toSorted((one, other) => one.own - other.own), missing };
}

/** µs between the two ends. */
function lengthOf({ earlier, later }: Stretch): number {
  return Math.max(1, later.to - earlier.from);
}

/** Of what is missing, each piece falling anywhere in proportion to the exposure: in the stretches, or `elsewhere`, where none is. */
function logLikelihood(stretches: readonly Stretch[], counts: readonly number[], elsewhere: number): number {
  const all = Math.max(
    1,
    counts.reduce((sum, count) => sum + count, elsewhere),
  );
  return stretches.reduce(
    (sum, { missing }, index) => (missing === 0 ? sum : sum + missing * Math.log((counts[index] ?? 0) / all)),
    0,
  );
}

/** How many requests of one class fell in each stretch, and elsewhere in budgets that are in order. */
interface Exposure {
  readonly counts: readonly number[];
  readonly elsewhere: number;
}

function exposures(
  own: readonly Exchange[],
  compared: readonly Exchange[],
  stretches: readonly Stretch[],
  { exchanges, anonymous }: Evidence,
  { key, kind }: { readonly key: string; readonly kind: Exchange['kind'] },
): readonly Exposure[] {
  const during = (list: readonly Exchange[], lead = 0) => {
    const times = Float64Array.from(list, ({ sent }) => sent).sort();
    return stretches.map(({ earlier, later }) => upTo(times, later.from) - below(times, earlier.to - lead));
  };
  const all = [() => 'any', ...CLASSES, ({ connection }: Exchange) => `${connection}`];
  const classes = all.flatMap((nameOf): Exposure[] => {
    const names = new Set(own.map(nameOf));
    return [...names].map((name) => {
      const of = (list: readonly Exchange[]) => list.filter((each) => nameOf(each) === name);
      return { counts: during(of(own)), elsewhere: of(compared).length };
    });
  });
  const others = [
    exchanges,
    anonymous,
    exchanges.filter((each) => each.key === key && each.kind !== kind),
    exchanges.filter((each) => each.key !== key && each.kind === kind),
  ];
  return [
    ...classes,
    { counts: during(own, AFTERMATH), elsewhere: compared.length },
    ...others.map((list) => ({ counts: during(list), elsewhere: 0 })).filter((each) => isEachTime(each, stretches)),
  ];
}

/** Whether requests of other budgets are enough taken off this one, if any are: a deployment that does so does it each time. */
function isEachTime({ counts }: Exposure, stretches: readonly Stretch[]): boolean {
  const all = counts.reduce((sum, count) => sum + count, 0);
  return stretches.reduce((sum, { missing }) => sum + missing, 0) >= all / 5;
}

/** µs: how finely requests of others are supposed, and for how long before the run: what a sliding counter remembers. */
const SLICE = 5_000_000;
const BEFORE = 120_000_000;

/** How many requests of others come in a slice of time at most, if they are as frequent all along as in the stretches. */
function mostLikely({ missing, stretches }: Unseen, { limit }: History): number {
  const expected = (SLICE * missing) / stretches.reduce((sum, each) => sum + lengthOf(each), 0);
  return Math.min(limit, Math.ceil(expected + 4 * Math.sqrt(expected)));
}

/**
 * Whether the history is explained if others sent requests all along, at most so many in each slice of time. Each of them may
 * have been counted or not, so that all they can do is to leave less than there would be.
 */
function explainedByOthers(history: History, most: number): boolean {
  const [first] = history.events;
  const last = history.events.at(-1);
  if (!first || !last) return false;
  const foreign: Event[] = [];
  for (let from = first.from - BEFORE; from < last.to; from += SLICE) {
    const event: Event = {
      ...first,
      from,
      to: from + SLICE,
      outcome: 'unclear',
      group: '',
      remaining: null,
      reset: null,
    };
    for (let sent = 0; sent < most; sent++) foreign.push(event);
  }
  const events = [...foreign, ...history.events].sort((one, other) => one.from - other.from);
  return reach(analyse({ ...history, events }, { depth: 'whole' })) === 3;
}
