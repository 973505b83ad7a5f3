import { type History, WINDOW } from '../history.ts';
import { groupsOf, type Moments, momentsOf } from './moments.ts';

/** µs after its answer by which a request has been counted, also where that is done after the answer or read from a replica. */
const LAG = 250_000;

/** µs after its answer within which nodes that exchange their counts have mostly not done so. */
const SOON = 1_000_000;

/** So many values that are exact so soon show that requests are counted one by one when they come one by one. */
const FEWEST_EXACT = 5;

/** Fewer requests that were not counted in a burst may have been missed otherwise: the first of a window, say. */
const FEWEST_LOST = 2;

/** What the windows of a budget show, one after the other. */
interface Tally {
  /** Values of requests that came one by one, each the one that was due; and those of them that were due soon after another. */
  exact: number;
  soon: number;
  /** Requests that came at once and that a later value shows not to have been counted. */
  lost: number;
  /** Something is counted otherwise than as a race does. */
  otherwise: boolean;
  /** One was accepted after a limit of others had been answered, and counted, if they were counted at all. */
  overslept: boolean;
  /** The most that were accepted in one window, and the fewest that had been when one was refused for certain. */
  most: number;
  leastRefused: number;
  /** Windows that were spent, and those of them in which more than the limit passed. */
  spent: number;
  passed: number;
  /** The first of them was: nothing of an earlier one can have had a hand in it. */
  atFirst: boolean;
  /** The most refusals in a row that came one by one when more than the limit had passed: it is known by then that they have. */
  held: number;
}

/** So many windows have to be overshot, and so many of those that were spent. */
const FEWEST_PASSED = 2;
const MOSTLY = 2 / 3;

/** So many refusals in a row, or each of them would let another pass. */
const FEWEST_HELD = 2;

const EMPTY: Tally = {
  exact: 0,
  soon: 0,
  lost: 0,
  otherwise: false,
  overslept: false,
  most: 0,
  leastRefused: Number.POSITIVE_INFINITY,
  held: 0,
  spent: 0,
  passed: 0,
  atFirst: false,
};

/**
 * Requests are counted exactly when they come one by one, and not when they come at once: `lost update`, where some of those are
 * never counted; `check-then-act race`, where all are, and more than the limit have passed by then. Null where it is neither, or
 * a higher limit would explain it as well. Where no requests came soon enough after each other, nodes that exchange their counts
 * from time to time (`late sync`) would do the same.
 *
 * @param others of the other kind, by which the same limiter shows how it counts one by one
 */
export function nameRace(histories: readonly History[], others: readonly History[] = []): string | null {
  const tallies = histories.map(tallyOf);
  const all = [...tallies, ...others.map(tallyOf)];
  const sum = (of: (tally: Tally) => number, list: readonly Tally[] = tallies) =>
    list.reduce((total, each) => total + of(each), 0);
  const isExact = (list: readonly Tally[]) =>
    !list.some(({ otherwise }) => otherwise) && sum(({ exact }) => exact, list) >= FEWEST_EXACT;
  if (sum(({ lost }) => lost) > 0) return isExact(tallies) || isExact(all) ? 'lost update' : null;
  if (!isExact(all)) return null;
  if (tallies.some(({ overslept }) => overslept)) return null;
  const over = Math.max(...tallies.map((each) => (each.held < FEWEST_HELD ? 0 : each.over)));
  const plainLimit = Math.min(...tallies.map(({ leastRefused, most, over }) => leastRefused - (most - over)));
  const passed = sum((each) => each.passed);
  // A limit that is higher at times would let more pass then, and never at other times.
  if (passed < FEWEST_PASSED || passed < MOSTLY * sum(({ spent }) => spent)) return null;
  if (over <= 0 || over <= plainLimit || !tallies.some(({ atFirst }) => atFirst)) return null;
  return sum(({ soon }) => soon, all) < FEWEST_EXACT ? 'check-then-act race or late sync' : 'check-then-act race';
}

function tallyOf(history: History): Tally & { readonly over: number } {
  const tally: Tally = { ...EMPTY };
  for (const [index, window] of windowsOf(history).entries()) {
    count(window, history.limit, tally);
    if (index === 0) tally.atFirst = tally.passed > 0;
  }
  return { ...tally, over: tally.most - history.limit };
}

/** The groups that carry one marker, with what was lost meanwhile: without markers nothing is known to be of one window. */
function windowsOf(history: History): readonly (readonly Moments[])[] {
  const moments = momentsOf(history);
  const windows = Map.groupBy(
    moments.filter(({ event }) => event.reset !== null),
    ({ event }) => event.reset,
  );
  const lost = moments.filter(({ event }) => event.reset === null);
  const { offset, unit } = history;
  const ahead = (Number.isFinite(offset.high) ? offset.high : Number.NEGATIVE_INFINITY) + (unit ?? 0);
  return [...windows].flatMap(([reset, all]) => {
    // A log goes on under the same marker, as rounded, for a moment after its oldest entry has expired.
    const marked = all.filter(({ to }) => to < (reset ?? 0) - ahead);
    const from = marked[0]?.from ?? 0;
    const to = marked[marked.length - 1]?.to ?? 0;
    if (to - from > WINDOW) return [];
    const own = lost.filter((each) => each.to >= from && each.from <= to);
    return [groupsOf([...marked, ...own].sort((one, other) => one.from - other.from))];
  });
}

/** A value that a request at rest told, and when it was answered. */
interface Told {
  readonly left: number;
  readonly to: number;
}

/** Counts one window down, from the value that one request at rest tells to the next. */
function count(window: readonly Moments[], limit: number, tally: Tally): void {
  let told = freshOf(window, limit);
  let since: Moments[] = [];
  let accepted = 0;
  let maybe = 0;
  let held = 0;
  let before = Number.NEGATIVE_INFINITY;
  const ends = window.flatMap((group) => group.accepted.map(({ to }) => to)).sort((one, other) => one - other);
  for (const group of window) {
    if (group.accepted.some(({ from }) => (ends[limit - 1] ?? Number.POSITIVE_INFINITY) <= from - LAG)) {
      tally.overslept = true;
    }
    accepted += group.accepted.length;
    maybe += group.maybe;
    if (group.refused.length > 0) tally.leastRefused = Math.min(tally.leastRefused, accepted + maybe);
    held = group.all.length === 1 && group.refused.length === 1 && accepted > limit ? held + 1 : 0;
    tally.held = Math.max(tally.held, held);
    since.push(group);
    const most = told?.left ?? Number.POSITIVE_INFINITY;
    if (group.accepted.some(({ event }) => (event.remaining ?? 0) > most)) tally.otherwise = true;
    const [only] = group.all;
    const atRest = group.from - before >= LAG;
    const ended = before;
    before = group.to;
    if (!only || group.all.length > 1 || only.fate !== 'accepted' || only.event.remaining === null) continue;
    const value = only.event.remaining;
    const oneByOne = since.every(({ all }) => all.length === 1);
    if (told && oneByOne) exactly(value, told, since, tally);
    if (!atRest) continue;
    if (told && !oneByOne) inBurst(value, told, since, tally, only.from - ended >= SOON + LAG);
    told = { left: value, to: only.to };
    since = [];
  }
  tally.most = Math.max(tally.most, accepted);
  if (accepted > limit) tally.passed++;
  if (accepted > limit || window.some(({ refused }) => refused.length > 0)) tally.spent++;
}

/** The whole limit, where the window begins with a burst that shows that nothing had been counted in it; else null. */
function freshOf([first]: readonly Moments[], limit: number): Told | null {
  const fresh = first?.accepted.some(({ event }) => event.remaining === limit - 1) ?? false;
  return fresh && first && first.all.length > 1 ? { left: limit, to: Number.NEGATIVE_INFINITY } : null;
}

/** A value after requests that came one by one: less one for each, but for those that have just been answered. */
function exactly(value: number, { left, to }: Told, since: readonly Moments[], tally: Tally): void {
  const now = since[since.length - 1]?.from ?? 0;
  const counted = since.flatMap((each) => each.accepted).length;
  const maybe = since.reduce((sum, each) => sum + each.maybe, 0);
  const done = since.slice(0, -1).filter((each) => each.to <= now - LAG && each.accepted.length > 0).length;
  const surely = to <= now - LAG ? done + 1 : done;
  if (value < left - counted - maybe || value > left - surely) tally.otherwise = true;
  // Nodes that exchange their counts from time to time are exact as well, some time later.
  const due = [to, ...since.slice(0, -1).map((each) => each.to)].filter((each) => each <= now - LAG);
  if (due.some((each) => each > now - SOON)) tally.soon++;
  if (due.length > 0) tally.exact++;
}

/** A value after requests that came at once: more than is due shows how many of them were not counted. */
function inBurst(value: number, { left }: Told, since: readonly Moments[], tally: Tally, late: boolean): void {
  const counted = since.flatMap((each) => each.accepted).length;
  const maybe = since.reduce((sum, each) => sum + each.maybe, 0);
  const lost = value - (left - counted);
  if (lost < -maybe) tally.otherwise = true;
  if (late && lost >= FEWEST_LOST && value > 0) tally.lost += lost;
}
