import { WINDOW_S } from '../catalogue/limits.ts';
import type { RequirementId } from '../catalogue/requirement.ts';
import { budgetKey, type Exchange } from '../trace/exchange.ts';
import type { Trace } from '../trace/trace.ts';
import { firstEnd, isOfOneWindow, toldEnd } from './marked-windows.ts';
import { budgetOf, inSteps, requestsOf, type Sequence } from './sequence.ts';
import { shows } from './shows.ts';

/** A proof as far as a sequence needs it: the requests that prove a failure, in order of sending. */
export interface Evidence {
  readonly evidence: readonly Exchange[];
}

/** Requirements on what is counted: an answer shows them only after those before it. */
const ON_COUNTING = /^(LIMIT-|HDR-[4578]$|STATUS-429$)/;

/** Requirements that hang on when requests are sent, be they of one window. */
const ON_TIME = /^(LIMIT-WINDOW|LIMIT-HISTORY|HDR-[78])$/;

const WINDOW_US = WINDOW_S * 1e6;

/** A window that opened with the first request has ended, and what is asked at its end (up to 1.6 s later) was asked. */
const FIRST_WINDOW_US = WINDOW_US + 2e6;

/** So many beginnings are tried: a run has about three windows on each of its budgets. */
const MOST_TRIED = 12;

/**
 * The shortest sequence of a run that shows a failure. Where the answer stands for itself: its evidence, or the same after a success of the
 * same key. Where it hangs on what was counted before: what was sent on the same budgets from a moment at which they were whole to where
 * no conforming deployment explains the answers. Null where no proof has a request.
 */
export function shortestSequence(id: RequirementId, proofs: readonly Evidence[], trace: Trace): Sequence | null {
  const told = proofs.filter(({ evidence }) => evidence.length > 0);
  return standing(id, told, trace) ?? counted(id, told, trace) ?? leadingUp(told, trace);
}

function standing(id: RequirementId, proofs: readonly Evidence[], trace: Trace): Sequence | null {
  const { exchanges } = trace;
  const alone = proofs.filter(({ evidence }) => !hangsOnHistory(id, evidence, exchanges)).map((each) => each.evidence);
  const candidates = alone.flatMap((evidence) => [evidence, [...acquaintance(evidence, exchanges), ...evidence]]);
  const found = candidates.find((each) => shows(id, each, trace));
  return found ? { steps: inSteps(found, false), pace: 'single', window: null, shows: true } : null;
}

/** A success of the key that the last of the evidence presents: without one, what it is refused may say no more than that it is no key. */
function acquaintance(evidence: readonly Exchange[], exchanges: readonly Exchange[]): readonly Exchange[] {
  const key = evidence.at(-1)?.key ?? null;
  const success = exchanges.find((each) => each.key === key && each.status === 200 && each.step !== 'prepare');
  return key === null || success === undefined ? [] : [success];
}

/** Whether the answer that contradicts was given to what was answered otherwise elsewhere, or is a refusal, or the failure is one of counting. */
function hangsOnHistory(id: string, evidence: readonly Exchange[], exchanges: readonly Exchange[]): boolean {
  const last = evidence.at(-1);
  if (last === undefined) return false;
  if (ON_COUNTING.test(id) || last.status === 429) return true;
  return exchanges.some((each) => isAlike(each, last) && each.status !== 429 && outcomeOf(each) !== outcomeOf(last));
}

function isAlike(a: Exchange, b: Exchange): boolean {
  const fields = ['operation', 'method', 'target', 'fault', 'credential', 'variation', 'key'] as const;
  return a.status !== null && fields.every((name) => a[name] === b[name]);
}

function outcomeOf({ status, headers }: Exchange): string {
  return `${status} ${headers.limit} ${headers.remaining.length} ${headers.reset.length}`;
}

function counted(id: RequirementId, proofs: readonly Evidence[], trace: Trace): Sequence | null {
  const sets = new Map(
    proofs.flatMap(({ evidence }) => budgetsFor(id, evidence, trace.exchanges)).map((each) => [each.join(), each]),
  );
  const windows = [...sets.values()].flatMap((budgets) => windowsOf(new Set(budgets), trace, FIRST_WINDOW_US));
  // Whether failed requests are counted is left open: a sequence without them leaves less room.
  const failed = (all: readonly Exchange[]): number =>
    all.filter(({ status, fault }) => status !== 200 && status !== 429 && fault !== 'none').length;
  const candidates = windows
    .toSorted((one, other) => failed(one) - failed(other) || one.length - other.length)
    .slice(0, MOST_TRIED);
  // What shows in no window may show over several.
  const whole = [...sets.values()].flatMap((budgets) => windowsOf(new Set(budgets), trace).slice(0, 1));
  let shortest: Sequence | null = null;
  for (const exchanges of [...candidates, ...whole]) {
    if (shortest && whole.includes(exchanges)) break;
    if (!shows(id, exchanges, trace)) continue;
    const sequence = paced(id, upToWhereItShows(id, exchanges, trace), trace);
    if (sequence.pace === 'at once') return sequence;
    if (!shortest || (sequence.steps.at(-1)?.at ?? 0) < (shortest.steps.at(-1)?.at ?? 0)) shortest = sequence;
  }
  return shortest;
}

/** The budgets that bear on a failure together, so that requests on them are sent again: of several ways the fewest first. */
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

/** All that was sent on some budgets, from each moment at which they were whole, and for how long (µs). */
function windowsOf(
  budgets: ReadonlySet<string>,
  { exchanges, header: { epoch } }: Trace,
  length = Number.POSITIVE_INFINITY,
): readonly (readonly Exchange[])[] {
  const own = exchanges.filter((each) => budgets.has(budgetOf(each)));
  return beginnings(own, epoch).map((start) => {
    const since = own.slice(start);
    const within = since.filter(({ sent }) => sent - (since[0]?.sent ?? 0) <= length);
    return within.length < since.length
      ? within.slice(0, quietMoments(since.slice(0, within.length + 1)).at(-2))
      : since;
  });
}

/**
 * Where the budgets of these requests were whole: at the beginning, after a whole window of silence, and where all windows that were told
 * before have ended and the deployment says that as much is left as at the beginning, on each of them.
 */
function beginnings(own: readonly Exchange[], epoch: number): readonly number[] {
  const found: number[] = [];
  const whole = firstLeft(own, 0);
  let answered = Number.NEGATIVE_INFINITY;
  let ended = Number.NEGATIVE_INFINITY;
  for (const [index, each] of own.entries()) {
    const silent = index === 0 || each.sent - answered > WINDOW_US;
    const anew = (): boolean => {
      const left = firstLeft(own, index);
      return left.size > 0 && [...left].every(([budget, remaining]) => whole.get(budget) === remaining);
    };
    if (silent || (each.sent > answered && each.sent > ended - TICK_US && anew())) found.push(index);
    answered = Math.max(answered, each.answered ?? each.sent);
    if (budgetKey(each) !== null) ended = Math.max(ended, toldEnd(each, epoch) ?? each.sent + WINDOW_US);
  }
  return found;
}

/** A marker in whole seconds may lie after the end of its window by one, in µs. */
const TICK_US = 1e6;

/** What the first answers from `start` say is left of each budget; of several requests at once, the most. */
function firstLeft(own: readonly Exchange[], start: number): ReadonlyMap<string, number> {
  const left = new Map<string, number>();
  const until = new Map<string, number>();
  const budgets = new Set(own.filter((each) => budgetKey(each) !== null).map(budgetOf));
  for (const each of own.slice(start)) {
    const budget = budgetOf(each);
    const end = until.get(budget) ?? Number.POSITIVE_INFINITY;
    if (each.sent > end) budgets.delete(budget);
    if (budgets.size === 0) break;
    if (!budgets.has(budget) || each.status === null) continue;
    const [text] = each.headers.remaining;
    const remaining = text !== undefined && /^\s*\d+\s*$/.test(text) ? Number(text) : -1;
    until.set(budget, Math.min(end, each.answered ?? each.sent));
    left.set(budget, Math.max(left.get(budget) ?? -1, remaining));
  }
  return left;
}

/** The shortest beginning that still shows it: what a history contradicts, a longer one contradicts too. None ends while others are under way. */
function upToWhereItShows(id: RequirementId, exchanges: readonly Exchange[], trace: Trace): readonly Exchange[] {
  const ends = quietMoments(exchanges);
  let [passes, least] = [-1, ends.length - 1];
  while (least - passes > 1) {
    const middle = Math.floor((passes + least) / 2);
    if (shows(id, exchanges.slice(0, ends[middle]), trace)) least = middle;
    else passes = middle;
  }
  return exchanges.slice(0, ends[least]);
}

/** How many requests had been sent whenever all of them were answered. */
function quietMoments(exchanges: readonly Exchange[]): readonly number[] {
  let answered = Number.NEGATIVE_INFINITY;
  const found = exchanges.flatMap((each, index) => {
    const quiet = index > 0 && each.sent > answered;
    answered = Math.max(answered, each.answered ?? each.sent);
    return quiet ? [index] : [];
  });
  return [...found, exchanges.length];
}

function paced(id: RequirementId, exchanges: readonly Exchange[], { header }: Trace): Sequence {
  const timely = ON_TIME.test(id) || !isOfOneWindow(exchanges, header.epoch);
  return timedSequence(exchanges, header.epoch, timely ? 'as recorded' : 'at once', true);
}

function timedSequence(
  exchanges: readonly Exchange[],
  epoch: number,
  pace: Sequence['pace'],
  isShown: boolean,
): Sequence {
  const steps = inSteps(exchanges, true);
  const [first] = steps;
  const end = first ? firstEnd(first.exchanges, epoch) : null;
  return { steps, pace, window: end === null ? null : end - (first?.exchanges[0]?.sent ?? 0), shows: isShown };
}

/** All that was counted before the last of the evidence, since its budgets were last whole. */
function leadingUp(proofs: readonly Evidence[], { exchanges, header }: Trace): Sequence | null {
  const all = proofs.map(({ evidence }) => {
    const seqs = new Set(evidence.map(({ seq }) => seq));
    const budgets = new Set(evidence.map(budgetOf));
    const own = exchanges.filter((each) => budgets.has(budgetOf(each)));
    const first = own.findIndex(({ seq }) => seqs.has(seq));
    const last = own.findLastIndex(({ seq }) => seqs.has(seq));
    const start = beginnings(own, header.epoch).findLast((index) => index <= first) ?? 0;
    return timedSequence(own.slice(start, last + 1), header.epoch, 'as recorded', false);
  });
  const [shortest] = all
    .filter((each) => requestsOf(each).length > 0)
    .sort((one, other) => (one.steps.at(-1)?.at ?? 0) - (other.steps.at(-1)?.at ?? 0));
  return shortest ?? null;
}
