import { LIMITS } from '../catalogue/limits.ts';
import type { RequirementId } from '../catalogue/requirement.ts';
import { TICK } from '../judge/limits/direct.ts';
import { isOfLimits } from '../judge/shown.ts';
import type { Proof } from '../judge/verdict.ts';
import { WINDOW } from '../oracle/history.ts';
import { budgetKey, type Exchange, plainExchange } from '../trace/exchange.ts';
import { firstEnd, isOfOneWindow } from './marked-windows.ts';
import { budgetOf, type Sequence } from './sequence.ts';
import { type Recorded, verdictOn } from './shows.ts';
import { FIRST_WINDOW_US, quietMoments, windowsOf } from './whole-budgets.ts';

/** How many windows similar to the one that shows a failure are checked for the same failure. */
const MOST_COMPARED = 4;

/**
 * Whether the failure also shows at other moments of the run at which such budgets were full, after as many requests
 * and as many like the last one. If an answer shows it by itself: whether such answers come after as many successes
 * each time.
 */
export function isShownElsewhere(
  id: RequirementId,
  exchanges: readonly Exchange[],
  pace: Sequence['pace'],
  { trace, shown }: Recorded,
): boolean {
  const [first] = exchanges;
  const last = exchanges.at(-1);
  const own = [...new Set(exchanges.map(budgetOf))];
  const ofKind = trace.exchanges.filter((each) => each.kind === first?.kind && budgetKey(each) !== null);
  const sets = own.length > 1 ? [own] : [...new Set(ofKind.map(budgetOf))].map((each) => [each]);
  const windows = sets.flatMap((budgets) => windowsOf(new Set(budgets), trace, FIRST_WINDOW_US));
  const { epoch } = trace.header;
  const whole = windows.map((window) => untilItsEnd(window, epoch));
  if (OF_A_LIMIT.test(id) && (!letsThroughAsMany(whole) || whole.some(letsThroughAgain))) return false;
  if (!isOfLimits(id) || id === 'STATUS-429') {
    const proofs = verdictOn(id, exchanges, trace, false)?.proofs ?? [];
    if (comesAfterAsMany(proofs, whole)) return true;
    if (id !== 'STATUS-429') return false;
  }
  const late = pace === 'as recorded' ? lateness(last, exchanges, epoch) : null;
  const like = (each: Exchange, window: readonly Exchange[] = exchanges): boolean =>
    each.kind === last?.kind &&
    each.operation === last.operation &&
    each.fault === last.fault &&
    each.variation === last.variation &&
    (late === null || isAsLate(lateness(each, window, epoch), late));
  const wanted = exchanges.filter((each) => like(each)).length;
  const beginningsWith = (operations: readonly (string | null)[]) =>
    windows
      .filter((window) => window[0]?.seq !== first?.seq)
      .flatMap((window) => {
        const missing = new Set(operations);
        let seen = 0;
        const least = window.findIndex((each) => {
          missing.delete(each.operation);
          if (like(each, window)) seen++;
          return seen >= wanted && missing.size === 0;
        });
        const end = quietMoments(window).find((length) => length >= Math.max(least + 1, exchanges.length));
        return least === -1 || end === undefined ? [] : [window.slice(0, end)];
      });
  // Where one operation is counted otherwise, what shows depends on how many requests each has.
  const mixed =
    id === 'LIMIT-SCOPE' ? windows.filter((each) => each[0]?.seq !== first?.seq && hasAsMany(each, exchanges)) : [];
  if (mixed.length > 0 && sample(mixed).every(shown)) return true;
  // What depends on several operations does not show where only some of them were used.
  const alike = beginningsWith(exchanges.map(({ operation }) => operation));
  const others = alike.length > 0 ? alike : beginningsWith([]);
  // A failure that depends on timing may also depend on earlier requests, so it is not certain if nothing else in the
  // run is similar. But each window has a length.
  if (pace === 'as recorded' && others.length === 0 && id !== 'LIMIT-WINDOW') return false;
  // Around the end of a window, more are let through than its limit.
  const comparable =
    OF_A_LIMIT.test(id) && pace === 'at once' ? others.filter((each) => isOfOneWindow(each, epoch)) : others;
  const compared = sample(comparable);
  const silent = compared.filter((each) => !shown(each));
  if (silent.length === 0) return true;
  // What shows after a while says nothing of a window that was left sooner than that. But where the first marker had
  // passed before, it may be of an earlier window, which the others did not have.
  if (late === null || lateness(first, exchanges, epoch) !== null) return false;
  const latest = (window: readonly Exchange[]): number =>
    Math.max(...window.flatMap((each) => (like(each, window) ? (lateness(each, window, epoch) ?? 0) : [])));
  const isTooSoon = (window: readonly Exchange[]): boolean => !shown(noLater(exchanges, latest(window), epoch));
  return silent.length < compared.length && silent.every(isTooSoon);
}

/** The same answers, as if the last ones had come sooner: none was asked for later than `most` µs after the end. */
function noLater(exchanges: readonly Exchange[], most: number, epoch: number): readonly Exchange[] {
  return exchanges.map((each) => {
    const sooner = Math.max(0, (lateness(each, exchanges, epoch) ?? 0) - most);
    const { sent, answered } = each;
    const moved = { sent: sent - sooner, answered: answered === null ? null : answered - sooner };
    return sooner === 0 ? each : { ...plainExchange(each), ...moved };
  });
}

/**
 * Whether a failure also shows in what was sent on every other budget of the kind that was full at first, as soon as as
 * much was sent and refused there, over as long a time and without longer pauses. True if nothing is like it.
 */
export function isShownByAllLike(exchanges: readonly Exchange[], { trace, shown }: Recorded): boolean {
  const own = new Set(exchanges.map(budgetOf));
  const [kind] = exchanges.map((each) => each.kind);
  const refused = (all: readonly Exchange[]): number => all.filter(({ status }) => status === 429).length;
  const lasts = (all: readonly Exchange[]): number => (all.at(-1)?.sent ?? 0) - (all[0]?.sent ?? 0);
  const pause = (all: readonly Exchange[]): number =>
    all.reduce((longest, each, at) => Math.max(longest, each.sent - (all[at - 1] ?? each).sent), 0);
  const others = trace.exchanges.filter((each) => each.kind === kind && budgetKey(each) !== null);
  const like = [...new Set(others.map(budgetOf))]
    .filter((budget) => !own.has(budget))
    .flatMap((budget) => windowsOf(new Set([budget]), trace).slice(0, 1))
    .flatMap((window) => {
      const beginning = quietMoments(window)
        .filter((length) => length >= exchanges.length)
        .map((length) => window.slice(0, length))
        .find((each) => refused(each) >= refused(exchanges) && lasts(each) >= lasts(exchanges));
      return beginning && pause(beginning) <= pause(exchanges) ? [beginning] : [];
    });
  return sample(like).every(shown);
}

/**
 * How long after the end that the first answers of a window show a request was sent, in µs; null if they show none, or
 * it was before.
 */
function lateness(each: Exchange | undefined, window: readonly Exchange[], epoch: number): number | null {
  const end = firstEnd(window.slice(0, 1), epoch);
  return each === undefined || end === null || each.sent <= end ? null : each.sent - end;
}

/** Later than that, what such a request shows may be over. */
function isAsLate(after: number | null, most: number): boolean {
  return after !== null && after <= most;
}

/** Whether a window has about as many requests of each operation as the sequence, or more. */
function hasAsMany(window: readonly Exchange[], exchanges: readonly Exchange[]): boolean {
  const counts = (all: readonly Exchange[]): Map<string, number> =>
    new Map([...Map.groupBy(all, (each) => `${each.operation}`)].map(([name, own]) => [name, own.length]));
  const has = counts(window);
  return [...counts(exchanges)].every(([name, wanted]) => (has.get(name) ?? 0) >= Math.floor(ABOUT_ALL * wanted));
}

/** How much of the requests of an operation is about all of them. */
const ABOUT_ALL = 0.8;

/**
 * Whether every window with refusals and no other fault accepted the same number; otherwise the limit holds only
 * sometimes.
 */
function letsThroughAsMany(windows: readonly (readonly Exchange[])[]): boolean {
  const told = windows.filter(
    (window) =>
      window.some(({ status }) => status === 429) && window.every(({ status }) => status === 200 || status === 429),
  );
  return new Set(told.map((window) => window.filter(({ status }) => status === 200).length)).size <= 1;
}

/**
 * Whether a request was accepted after another was refused in the same window: such a limit also holds only sometimes.
 */
function letsThroughAgain(window: readonly Exchange[]): boolean {
  const spent = new Map<string, number>();
  return window.some((each) => {
    const { status, fault, sent, answered, headers } = each;
    const told = `${budgetOf(each)} ${headers.reset}`;
    if (status === 429) spent.set(told, Math.min(answered ?? sent, spent.get(told) ?? Number.POSITIVE_INFINITY));
    return status === 200 && fault === 'none' && sent > (spent.get(told) ?? Number.POSITIVE_INFINITY);
  });
}

/** Requirements about how many requests are accepted, whichever these are. */
export const OF_A_LIMIT = /^(LIMIT-[RW]|LIMIT-ATOMIC)$/;

/**
 * The requests that were sent a second before the first end that the answers of a window show, which may be told in
 * whole seconds, and before what slides gives the first of them back.
 */
function untilItsEnd(window: readonly Exchange[], epoch: number): readonly Exchange[] {
  const end = firstEnd(window.slice(0, 1), epoch) ?? Number.POSITIVE_INFINITY;
  const back = (window[0]?.sent ?? 0) + WINDOW;
  return window.filter(({ sent }) => sent < Math.min(end, back) - TICK);
}

/** The count may differ by this much, because a request was under way or the deployment does not count it. */
const ABOUT = 4;

/**
 * Whether answers like the one that shows a failure come after the same number of others in each window, and in no
 * window with fewer.
 */
function comesAfterAsMany([proof]: readonly Proof[], windows: readonly (readonly Exchange[])[]): boolean {
  const wrong = wrongOf(proof?.evidence ?? []);
  if (!wrong) return false;
  const isWrong = (each: Exchange): boolean => each.kind === wrong.kind && outcomeOf(each) === outcomeOf(wrong);
  const before = windows.flatMap((window) => {
    const first = window.find(isWrong);
    return first ? [window.filter((each) => !isWrong(each) && each.sent < (first.answered ?? first.sent)).length] : [];
  });
  const [least, most] = [Math.min(...before), Math.max(...before)];
  return most - least <= ABOUT && windows.every((window) => window.some(isWrong) || window.length <= most + ABOUT);
}

/** Evenly selected items of a longer list. */
function sample<T>(all: readonly T[]): readonly T[] {
  const every = Math.ceil(all.length / MOST_COMPARED);
  return all.filter((_, index) => index % every === 0);
}

/**
 * The contradicting answer of some evidence: the last one that is not a success of a valid request (these only serve
 * for comparison).
 */
export function wrongOf(evidence: readonly Exchange[]): Exchange | undefined {
  return evidence.findLast(({ status, fault }) => status !== 200 || fault !== 'none') ?? evidence.at(-1);
}

/** The kind of an answer, without the values that are its own. */
export function outcomeOf({ status, kind, headers: { limit, remaining, reset } }: Exchange): string {
  const form = (values: readonly string[]): string => values.map((each) => /^\s*\d+\s*$/.test(each)).join();
  return `${status} ${form(limit)} ${limit[0] === String(LIMITS[kind])} ${form(remaining)} ${form(reset)}`;
}
