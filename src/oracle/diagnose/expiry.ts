import { type History, type Range, WINDOW } from '../history.ts';
import { groupsOf, type Moment, type Moments, momentsOf } from './moments.ts';

/** What moves the end of a window that begins with its first request. */
type Rule =
  | { readonly by: 'nothing' | 'requests' | 'accepted' | 'refusals' }
  /** The first refusal: the window ends so many µs from then. */
  | { readonly by: 'first refusal'; readonly after: Range }
  /** Nothing, and some windows do not end at all. */
  | { readonly by: 'never' };

/** What is known of the window that a budget is in. */
interface State {
  readonly end: Range;
  readonly count: Range;
  readonly refused: boolean;
  /** When a plain window would have ended for certain, and how often it was drawn on after that. */
  readonly due: number;
  readonly late: number;
}

/** A budget of one deployment. */
interface Course {
  readonly history: History;
  readonly groups: readonly Moments[];
}

/** µs: expiries that are kept, or looked for, in whole seconds. */
const TICK = 1_100_000;

/** More ways to place the windows than these are not followed: then any rule is taken to fit. */
const MOST_STATES = 64;

/** µs: a block whose length is known no better is not measured. */
const WIDEST = 3_000_000;

/** µs by which the ages differ at which windows were spent, for a block to be told from a window of another length. */
const LEAST_AGE_APART = 5_000_000;

/**
 * Fixed windows from the first request of which something else than time decides when they end: `refreshed TTL`, where a request
 * or a refusal puts the end off; `penalty block`, with its length, from the first refusal on; `no expiry`, where they do not end.
 * Where the answers leave open which of them, all that they leave open; null where none fits, or plain windows do.
 */
export function nameExpiry(histories: readonly History[]): string | null {
  const courses = histories.map((history) => ({ history, groups: groupsOf(momentsOf(history)) }));
  if (courses.every((course) => follow(course, { by: 'nothing' }, false) !== null)) return null;
  const block = blockOf(courses);
  const told = namesFor(courses, block, true);
  const names = told.length > 0 ? told : namesFor(courses, block, false);
  const last = names.pop();
  if (!last || (names.length > 0 && !isSeenTwice(courses))) return null;
  return names.length > 0 ? `${names.join(', ')} or ${last}` : last;
}

/** @param marked whether the markers have to tell the end as well */
function namesFor(courses: readonly Course[], block: Block | null, marked: boolean): string[] {
  const names: string[] = [];
  const refreshed = (['requests', 'accepted', 'refusals'] as const).some((by) => fits(courses, { by }, marked));
  if (refreshed) names.push('refreshed TTL');
  if (block && fits(courses, { by: 'first refusal', after: block }, marked)) {
    names.push(block.measured ? `penalty block of ${secondsOf(block)} s` : 'penalty block');
  }
  if (!marked && fits(courses, { by: 'never' }, false)) {
    names.push('no expiry', ...(courses.some(isLong) ? [] : ['a longer window']));
  }
  return names.length === 1 && names[0] === 'penalty block' ? [] : names;
}

/** Whether a budget was watched for longer than two windows: so long, that it is as good as for ever. */
function isLong({ groups }: Course): boolean {
  return (groups[groups.length - 1]?.to ?? 0) - (groups[0]?.from ?? 0) > 2 * WINDOW + TICK;
}

/** Whether more than one budget was spent: one alone may look so for many reasons. */
function isSeenTwice(courses: readonly Course[]): boolean {
  return courses.filter(({ groups }) => groups.some(({ refused }) => refused.length > 0)).length > 1;
}

function secondsOf({ low, high }: Range): number {
  const round = [60, 30, 20, 10, 5, 1].find((each) => Math.floor(high / 1e6 / each) * each * 1e6 >= low - TICK) ?? 1;
  return Math.floor(high / 1e6 / round) * round;
}

/** How long after its first refusal a spent budget was back: infinite above where none was seen to be. */
interface Block extends Range {
  /** Seen more than once, at different ages of the window: so it is from the refusal that it is counted. */
  readonly measured: boolean;
}

/** The length that each block can have had; null: they were not equally long. */
function blockOf(courses: readonly Course[]): Block | null {
  let low = 0;
  let high = Number.POSITIVE_INFINITY;
  const ages: number[] = [];
  for (const { groups, history } of courses) {
    let opened: Moments | null = null;
    let first: Moments | null = null;
    for (const group of groups) {
      const back = first !== null && group.accepted.length > 0;
      if (group.accepted.length > 0) {
        if (first) {
          high = Math.min(high, group.to - first.from);
          ages.push(first.from - (opened ?? first).from);
          opened = null;
        }
        first = null;
        opened ??= group;
      }
      // Among requests at once of which few passed, refusals came before the return, and not after.
      if (group.refused.length === 0 || (back && group.accepted.length < history.limit / 2)) continue;
      if (first) low = Math.max(low, group.from - first.to);
      first ??= group;
    }
  }
  if (low === 0 || low > high) return null;
  const measured = high - low <= WIDEST && Math.max(...ages) - Math.min(...ages) >= LEAST_AGE_APART;
  return { low, high, measured };
}

/** So often a window that should have ended is drawn on before it is said what became of its end. */
const FEWEST_LATE = 2;

/** Whether the rule gives all answers of all budgets, and windows last longer by it than plain ones do. */
function fits(courses: readonly Course[], rule: Rule, marked: boolean): boolean {
  const late = courses.map((course) => follow(course, rule, marked));
  return late.every((each) => each !== null) && Math.max(0, ...late.map((each) => each ?? 0)) >= FEWEST_LATE;
}

/** How often the budget's windows were drawn on when plain ones would have ended; null: it cannot have answered so. */
function follow({ history, groups }: Course, rule: Rule, marked: boolean): number | null {
  let states: readonly State[] = [FRESH];
  for (const group of groups) {
    states = distinct(states.flatMap((state) => next(state, group, history, rule)));
    if (marked) states = states.filter((state) => tells(group, state, history));
    if (states.length === 0) return null;
    if (states.length > MOST_STATES) return 0;
  }
  return Math.min(...states.map((state) => state.late));
}

const NEVER = Number.NEGATIVE_INFINITY;
const FOREVER: Range = { low: Number.POSITIVE_INFINITY, high: Number.POSITIVE_INFINITY };
const FRESH: State = {
  end: { low: NEVER, high: NEVER },
  count: { low: 0, high: 0 },
  refused: false,
  due: NEVER,
  late: 0,
};

function distinct(states: readonly State[]): readonly State[] {
  const known = new Map(states.map((each) => [JSON.stringify(Object.values(each)), each]));
  return [...known.values()];
}

/** Where the budget can stand after a group of requests; nowhere, where it cannot have answered so. */
function next(state: State, group: Moments, history: History, rule: Rule): readonly State[] {
  const { limit } = history;
  const accepted = group.accepted.length;
  const possible = accepted + group.maybe;
  const refused = group.refused.length > 0;
  const found: State[] = [];
  const mayBeIn = group.from <= state.end.high;
  const mayBeOver = group.to >= state.end.low;
  const { count } = state;
  if (mayBeIn && count.low + accepted <= limit && (!refused || count.high + possible >= limit)) {
    const least = refused ? limit : count.low + accepted;
    const known = told({ low: least, high: Math.min(limit, count.high + possible) }, group, limit);
    const late = group.from > state.due ? state.late + 1 : state.late;
    const end = { low: Math.max(state.end.low, group.from), high: state.end.high };
    if (known) found.push(...moved({ ...state, end, count: known, late }, group, rule));
  }
  const opened: Range = { low: group.from + WINDOW - TICK, high: group.to + WINDOW + TICK };
  const ends = rule.by === 'never' ? [opened, FOREVER] : [opened];
  const straddling = { low: Math.max(0, accepted - limit + count.low), high: Math.min(limit, possible) };
  const open = (known: Range | null, by = group) => {
    if (!known) return;
    const plain = { count: known, refused: false, due: opened.high, late: state.late };
    for (const end of ends) found.push(...moved({ ...plain, end }, by, rule));
  };
  if (mayBeOver && accepted <= limit && (!refused || possible >= limit)) {
    if (possible > 0) open(told({ low: refused ? limit : accepted, high: Math.min(limit, possible) }, group, limit));
    if (accepted === 0 && !refused) found.push(state);
  }
  if (mayBeIn && mayBeOver && group.all.length > 1) {
    // The refusals may all have come before the window ended.
    if (refused) open(straddling, { ...group, refused: [] });
    open(straddling);
  }
  return found;
}

/** What Remaining says of the count once all of the group have been counted; null: it says something else. */
function told(count: Range, group: Moments, limit: number): Range | null {
  if (group.maybe > 0 || group.accepted.length === 0) return count;
  const values = group.accepted.map(({ event }) => event.remaining);
  if (values.some((value) => value === null)) return count;
  const counted = limit - Math.min(...values.map((value) => value ?? limit));
  return counted < count.low || counted > count.high ? null : { low: counted, high: counted };
}

function moved(state: State, { all, accepted, refused }: Moments, rule: Rule): readonly State[] {
  const later = (by: readonly Moment[]): State => {
    if (by.length === 0) return state;
    const from = Math.max(...by.map((each) => each.from));
    const to = Math.max(...by.map((each) => each.to));
    return { ...state, end: { low: from + WINDOW - TICK, high: to + WINDOW + TICK } };
  };
  if (rule.by === 'requests') return [later(all)];
  if (rule.by === 'accepted') return [later(accepted)];
  if (rule.by === 'refusals') return [later(refused)];
  if (rule.by !== 'first refusal' || refused.length === 0 || state.refused) return [state];
  const from = Math.min(...refused.map((each) => each.from));
  const to = Math.min(...refused.map((each) => each.to));
  const end = { low: from + rule.after.low - TICK, high: to + rule.after.high + TICK };
  return [{ ...state, end, refused: true }];
}

/** Whether each marker of the group is of the window's end, as far as that is known; a group in which it moves tells nothing. */
function tells(group: Moments, { end }: State, { offset, unit }: History): boolean {
  const slack = (unit ?? 0) + TICK;
  const markers = group.all.flatMap(({ event, fate }) =>
    fate === 'maybe' || event.reset === null ? [] : [event.reset],
  );
  if (group.all.length > 1) return true;
  return markers.every((reset) => reset >= end.low + offset.low - slack && reset <= end.high + offset.high + slack);
}
