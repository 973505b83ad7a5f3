import { LIMITS, WINDOW_S } from '../catalogue/limits.ts';
import type { RequirementId } from '../catalogue/requirement.ts';
import { budgetKey, type Exchange, plainExchange } from '../trace/exchange.ts';
import type { Trace } from '../trace/trace.ts';
import { inOrder, sentMeanwhile, withAlsoCounted } from './also-counted.ts';
import { firstEnd, isOfOneWindow } from './marked-windows.ts';
import { asSentAgain, budgetOf, inSteps, requestsOf, type Sequence } from './sequence.ts';
import { isShownByAllLike, isShownElsewhere } from './shown-elsewhere.ts';
import type { Recorded } from './shows.ts';
import type { Evidence } from './standing.ts';
import { beginnings, FIRST_WINDOW_US, quietMoments, windowsOf } from './whole-budgets.ts';

/** Requirements that depend on when requests are sent, even within one window. */
const ON_TIME = /^(LIMIT-WINDOW|LIMIT-HISTORY|HDR-[578])$/;

/** How many beginnings are tried: a run has about three windows on each of its budgets. */
const MOST_TRIED = 12;

/** How many sequences are found that may not show the failure again; the shortest is sent first. */
const MOST_OTHERS = 3;

/**
 * The shortest sequences of a run that show a failure that depends on earlier requests, in the order in which they
 * should be sent: everything that was sent on the same budgets, from a moment at which they were full until no
 * conforming deployment explains the answers. If other moments of the run with as many such requests do not show it,
 * the failure is sporadic or depends on something else. Then sequences follow with the other requests of that time, and
 * with all requests since the run began. Sequences of more than a window come after those that may show it sooner.
 *
 * @param failed what failed in the run
 */
export function counted(
  id: RequirementId,
  proofs: readonly Evidence[],
  failed: ReadonlySet<RequirementId>,
  all: Recorded,
): readonly Sequence[] {
  const { trace, shown } = all;
  const sets = [
    ...new Map(
      proofs.flatMap(({ evidence }) => budgetsFor(id, evidence, trace.exchanges)).map((each) => [each.join(), each]),
    ).values(),
  ];
  // With one budget, requests that are sent along draw on it again; with several, they may draw on any of them.
  const windows = sets.flatMap((budgets) => {
    const own = windowsOf(new Set(budgets), trace, FIRST_WINDOW_US);
    return budgets.length > 1 ? own.map(asSentAgain) : own;
  });
  // The specification leaves open whether failed requests are counted: a sequence without them leaves less doubt.
  const faulty = (each: readonly Exchange[]): number =>
    each.filter(({ status, fault }) => status !== 200 && status !== 429 && fault !== 'none').length;
  const candidates = windows
    .toSorted((one, other) => faulty(one) - faulty(other) || one.length - other.length)
    .slice(0, MOST_TRIED);
  let certain: Sequence | null = null;
  const others: Sequence[] = [];
  for (const exchanges of candidates) {
    if (others.length === MOST_OTHERS) break;
    if (!shown(exchanges)) continue;
    const least = upToWhereItShows(exchanges, all);
    const sequence = paced(id, withAlsoCounted(least, failed, all), all);
    if (!isShownElsewhere(id, least, sequence.pace, all)) {
      // A sporadic failure shows sooner if more is sent.
      others.push({
        ...(sequence.pace === 'at once' ? paced(id, ofOneWindow(exchanges, least, trace), all) : sequence),
        isCertain: false,
      });
      continue;
    }
    if (sequence.pace === 'at once') return [sequence];
    if (!certain || lastAt(sequence) < lastAt(certain)) certain = sequence;
  }
  const [first] = others.toSorted((one, other) => lastAt(one) - lastAt(other));
  if (certain) return first && lastAt(certain) > WINDOW_S * 1e6 ? [first, certain] : [certain];
  // A failure that no single window shows may show over several.
  const since = sets.flatMap((budgets) => windowsOf(new Set(budgets), trace).slice(0, 1));
  const long = since.find(shown);
  return [...(first ? [first, ...meanwhile(id, first, all)] : []), ...(long ? [overWindows(id, long, all)] : [])];
}

function lastAt({ steps, pace }: Sequence): number {
  return pace === 'as recorded' ? (steps.at(-1)?.at ?? 0) : 0;
}

/**
 * What shows a failure over several windows. Each window has an end, so how it moves shows each time; anything else may
 * be sporadic.
 */
function overWindows(id: RequirementId, exchanges: readonly Exchange[], all: Recorded): Sequence {
  const shown = (some: readonly Exchange[]): boolean => all.shown(withLastSooner(some));
  const isSure = shown(exchanges);
  const least = upToWhereItShows(exchanges, isSure ? { ...all, shown } : all);
  const isCertain = id === 'LIMIT-WINDOW' && isSure && isShownByAllLike(least, all);
  return { ...paced(id, least, all), isCertain };
}

/**
 * How much sooner the last answer must show it, too, in µs. Clocks that tick in seconds lie otherwise when it is sent
 * again: the time that they tell of a window may differ by a tick, and so may that of the requests.
 */
const SOONER_US = 2 * 1e6;

function withLastSooner(exchanges: readonly Exchange[]): readonly Exchange[] {
  const last = exchanges.at(-1);
  const before = Math.max(0, ...exchanges.slice(0, -1).map(({ sent, answered }) => answered ?? sent));
  if (last === undefined) return exchanges;
  const sooner = Math.max(0, Math.min(SOONER_US, last.sent - before));
  const answered = last.answered === null ? null : last.answered - sooner;
  return [...exchanges.slice(0, -1), { ...plainExchange(last), sent: last.sent - sooner, answered }];
}

/** The exchanges from `least` on that belong to one window. */
function ofOneWindow(
  exchanges: readonly Exchange[],
  least: readonly Exchange[],
  { header }: Trace,
): readonly Exchange[] {
  const end = quietMoments(exchanges).findLast((length) => isOfOneWindow(exchanges.slice(0, length), header.epoch));
  return exchanges.slice(0, Math.max(end ?? 0, least.length));
}

/** With what else was sent at the same time, on other budgets. */
function meanwhile(id: RequirementId, sequence: Sequence, recorded: Recorded): readonly Sequence[] {
  const own = requestsOf(sequence);
  const all = inOrder([...own, ...sentMeanwhile(own, recorded.trace)]);
  return all.length > own.length && recorded.shown(all) ? [{ ...paced(id, all, recorded), isCertain: false }] : [];
}

/** The sets of budgets that are relevant to a failure, so their requests are sent again; smaller sets come first. */
function budgetsFor(
  id: RequirementId,
  evidence: readonly Exchange[],
  exchanges: readonly Exchange[],
): readonly (readonly string[])[] {
  const own = [...new Set(evidence.map(budgetOf))].sort();
  const all = (bears: (each: Exchange) => boolean) => [...new Set(exchanges.filter(bears).map(budgetOf))].sort();
  const keys = new Set(evidence.map(budgetKey));
  const kinds = new Set(evidence.map(({ kind }) => kind));
  switch (id) {
    case 'LIMIT-KEY':
      return [all(({ kind }) => kinds.has(kind))];
    case 'LIMIT-ANON':
      return [all((each) => budgetKey(each) === null || own.includes(budgetOf(each)))];
    case 'LIMIT-RW':
      return [all((each) => keys.has(budgetKey(each)))];
    default:
      return [...own.map((each) => [each]), own];
  }
}

/**
 * The shortest beginning that still shows it: if a history contradicts the requirement, a longer one does too. None
 * ends while other requests are under way.
 */
function upToWhereItShows(exchanges: readonly Exchange[], { shown }: Recorded): readonly Exchange[] {
  const ends = quietMoments(exchanges);
  let [passes, least] = [-1, ends.length - 1];
  while (least - passes > 1) {
    const middle = Math.floor((passes + least) / 2);
    if (shown(exchanges.slice(0, ends[middle]))) least = middle;
    else passes = middle;
  }
  return exchanges.slice(0, ends[least]);
}

function paced(id: RequirementId, exchanges: readonly Exchange[], { trace, shown }: Recorded): Sequence {
  const { epoch } = trace.header;
  const timely = ON_TIME.test(id) || !isOfOneWindow(exchanges, epoch) || !shown(withoutPauses(exchanges));
  const pace = timely ? 'as recorded' : 'at once';
  const sequence = timedSequence(exchanges, epoch, { pace, shows: true, isCertain: true });
  // If no budget can come back meanwhile, the time to the end of the window does not matter.
  return id === 'HDR-5' && lastAt(sequence) < REFILL_US ? { ...sequence, window: null } : sequence;
}

/** Within less time, no conforming deployment gives a request back. */
const REFILL_US = (WINDOW_S * 1e6) / LIMITS.read;

/** The same answers, as if no time had passed between them. */
function withoutPauses(exchanges: readonly Exchange[]): readonly Exchange[] {
  let answered = exchanges[0]?.sent ?? 0;
  let saved = 0;
  return exchanges.map((each) => {
    saved = Math.max(saved, each.sent - answered);
    answered = Math.max(answered, each.answered ?? each.sent);
    return {
      ...plainExchange(each),
      sent: each.sent - saved,
      answered: each.answered === null ? null : each.answered - saved,
    };
  });
}

function timedSequence(
  exchanges: readonly Exchange[],
  epoch: number,
  kind: Pick<Sequence, 'pace' | 'shows' | 'isCertain'>,
): Sequence {
  const steps = inSteps(exchanges, true);
  const [first] = steps;
  const end = first ? firstEnd(first.exchanges, epoch) : null;
  return { ...kind, steps, window: end === null ? null : end - (first?.exchanges[0]?.sent ?? 0) };
}

/** All requests that were counted before the last evidence, since its budgets were last full. */
export function leadingUp(proofs: readonly Evidence[], { exchanges, header }: Trace): readonly Sequence[] {
  return proofs
    .map(({ evidence }) => {
      const seqs = new Set(evidence.map(({ seq }) => seq));
      const budgets = new Set(evidence.map(budgetOf));
      const own = exchanges.filter((each) => budgets.has(budgetOf(each)));
      const first = own.findIndex(({ seq }) => seqs.has(seq));
      const last = own.findLastIndex(({ seq }) => seqs.has(seq));
      const start = beginnings(own, header.epoch).findLast((index) => index <= first) ?? 0;
      const kind = { pace: 'as recorded', shows: false, isCertain: false } as const;
      return timedSequence(own.slice(start, last + 1), header.epoch, kind);
    })
    .filter((each) => requestsOf(each).length > 0)
    .toSorted((one, other) => lastAt(one) - lastAt(other))
    .slice(0, 1);
}
