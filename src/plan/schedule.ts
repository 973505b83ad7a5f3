import { COVERAGE, type Demand } from '../catalogue/coverage.ts';
import { LIMITS } from '../catalogue/limits.ts';
import type { RequirementId } from '../catalogue/requirement.ts';
import type { Profile } from '../profile/profile.ts';
import type { Kind } from '../trace/exchange.ts';
import type { Allowance } from './allowance.ts';
import { cover, type Levels } from './cover.ts';
import type { Role } from './roles.ts';
import type { Mode, Track } from './tracks.ts';
import { costOf, goodTrials, levelsOf, type PlanKeys, possibleTrials, type Trial } from './trials.ts';
import { levelsOfLoad } from './windows.ts';

/** When the single requests of a run are sent. */
export interface Schedule {
  /** In the first window of their key, if its track leaves room. */
  readonly early: readonly Trial[];
  /** After every budget has been measured, on the keys that have most left. */
  readonly late: readonly Trial[];
  /** What the selected requirements ask of single requests. */
  readonly demands: readonly Demand[];
}

/** The share of a budget that single requests may use in the first window of each role; the role measures the rest. */
const ROOM: Readonly<Record<Role, number>> = { polled: 0.45, silent: 0.2, boundary: 0.2, idle: 0.45, brief: 0.45 };

/** How much of each budget may be used if no budget is spent: these budgets are the user's. */
const ROOM_TO_CHECK = 0.4;

interface ScheduleOptions {
  readonly selection: ReadonlySet<RequirementId>;
  readonly mode: Mode;
  readonly tracks: readonly Track[];
  readonly allowance: Pick<Allowance, 'wished' | 'singles' | 'again'>;
}

/**
 * The single requests that cover what the selected requirements demand, in addition to the bursts of the tracks. A
 * quick check covers each level once; a certification covers every combination.
 */
export function scheduleOf(
  profile: Profile,
  keys: PlanKeys,
  { selection, mode, tracks, allowance }: ScheduleOptions,
): Schedule {
  const operations = sample(profile, mode);
  const demands = demandsOf(selection, mode);
  const possible = possibleTrials(profile, keys, operations, mode === 'check');
  const sent = bursts(tracks);
  const needed = cover(possible, levelsOf, demands, sent);
  const wished = mode === 'certify' ? WISHED.filter((wish) => demands.some((each) => sameRequests(each, wish))) : [];
  const more = cover(possible, levelsOf, wished, [...sent, ...needed.map(levelsOf)]);
  const wanted = [...needed, ...more.slice(0, Math.max(0, allowance.wished - needed.length))];
  const { early, late } = place(wanted.slice(0, allowance.singles), keys, tracks);
  if (!allowance.again || mode !== 'certify') return { early, late, demands };
  // Without measured budgets, nothing shows which are charged.
  const again = tracks.length > 0 ? withoutKey(early) : [];
  return { early: withRepeats(early), late: [...late, ...early.filter(isForbidden), ...again], demands };
}

/**
 * The good requests that are missing after the bursts. The plan counts on a burst to show each of its requests within
 * the limit, but where a limiter has less left than a whole window, it refuses some kinds of request every time, and a
 * refusal shows nothing else about them.
 *
 * @param answered the good requests that were answered, and not refused for a limit
 */
export function unanswered(
  { operations }: Pick<Profile, 'operations'>,
  { full }: Pick<PlanKeys, 'full'>,
  { demands }: Pick<Schedule, 'demands'>,
  answered: readonly Trial[],
): readonly Trial[] {
  return cover(goodTrials(operations, full), levelsOf, demands, answered.map(levelsOf));
}

/**
 * Requests that the key lacks permission for are sent once more at the end: permissions are often kept, and loaded late
 * or again.
 */
function isForbidden({ fault }: Trial): boolean {
  return fault === 'permission';
}

/** How many requests of a kind without a key are sent once more. */
const AGAIN = 3;

/**
 * Requests without a key that are sent once more at the end: if a budget lacks as many each time, they were charged to
 * it, and not used by others, who would not come twice.
 */
function withoutKey(trials: readonly Trial[]): readonly Trial[] {
  const without = trials.filter(({ fault, probe }) => fault === 'no-key' && probe === null);
  return [...Map.groupBy(without, ({ operation }) => operation.kind).values()].flatMap((own) => own.slice(0, AGAIN));
}

/**
 * What does not exist is read twice, one time right after the other: a cache often keeps that it was missing, and
 * answers with success.
 */
function withRepeats(trials: readonly Trial[]): readonly Trial[] {
  const repeated = new Set<string>();
  return trials.flatMap((trial) => {
    const { fault, operation, probe } = trial;
    if (fault !== 'missing' || operation.kind !== 'read' || probe === null || repeated.has(probe.name)) return [trial];
    repeated.add(probe.name);
    return [trial, trial];
  });
}

/**
 * What is also tried while requests are left, if the selected requirements are about the same requests: every form of a
 * bad key on every operation, and every answer in every way.
 */
const WISHED: readonly Demand[] = [
  { given: { fault: ['bad-key'] }, factors: ['operation', 'state'], strength: 2 },
  { given: {}, factors: ['fault', 'operation', 'way'], strength: 3 },
];

function sameRequests(one: Demand, other: Demand): boolean {
  return JSON.stringify(one.given) === JSON.stringify(other.given);
}

/**
 * Faulty requests are compared with valid ones of the same operation and way: each is sent by itself, whatever the
 * bursts show.
 */
const CONTROLS: Demand = {
  given: { fault: ['none'], company: ['single'] },
  factors: ['operation', 'way'],
  strength: 2,
};

/** Maximum requests with the restricted key in one window: all may be counted, and a 429 would prove nothing. */
const RESTRICTED: Readonly<Record<Kind, number>> = { read: 80, write: 24 };

/** What the selected requirements ask of single requests, without repetition. */
export function demandsOf(selection: ReadonlySet<RequirementId>, mode: Mode): readonly Demand[] {
  const all = [...selection].flatMap((id) => COVERAGE[id].demands).filter(({ given }) => given.company === undefined);
  const distinct = [...new Map(all.map((each) => [JSON.stringify(each), each])).values()];
  if (distinct.length === 0) return [];
  if (mode === 'certify') return [CONTROLS, ...distinct];
  return [CONTROLS, ...distinct.map((each) => ({ ...each, strength: 1 }))];
}

function bursts(tracks: readonly Track[]): readonly Levels[] {
  return tracks.flatMap(({ key, loads }) => loads.flatMap((load) => levelsOfLoad(load, key)));
}

/** Early if the key's track has room, otherwise late. */
function place(
  trials: readonly Trial[],
  { full }: PlanKeys,
  tracks: readonly Track[],
): Pick<Schedule, 'early' | 'late'> {
  const early: Trial[] = [];
  const late: Trial[] = [];
  const [first] = full;
  const left = new Map<string, number>();
  const whole = (key: string, kind: Kind): number => {
    if (key === 'restricted') return RESTRICTED[kind];
    const role = tracks.find((track) => track.key === key && track.kind === kind)?.role;
    const share = tracks.length === 0 ? ROOM_TO_CHECK : role === undefined ? 0 : ROOM[role];
    return Math.floor(LIMITS[kind] * share);
  };
  const room = (key: string, kind: Kind): number => left.get(`${key} ${kind}`) ?? whole(key, kind);
  // Valid requests come first, because the faults of the others show by comparison with them.
  const goodFirst = [...trials].sort((one, other) => Number(one.fault !== 'none') - Number(other.fault !== 'none'));
  for (const trial of goodFirst) {
    const holder = trial.key ?? first ?? '';
    const { read, write } = costOf(trial);
    // A key that resembles a key other than the first is sent after that key's budgets are measured: if it is accepted,
    // it uses them.
    const apart = trial.fault === 'bad-key' && holder !== first && tracks.length > 0;
    // A third of the first room is reserved for faulty requests, which shows how these are counted.
    const kept = trial.fault === 'none' ? 1 / 3 : 0;
    const enough = (kind: Kind, cost: number): boolean =>
      cost === 0 || room(holder, kind) - cost >= kept * whole(holder, kind);
    const fits = enough('read', read) && enough('write', write);
    if (!fits || apart) {
      late.push(trial);
      continue;
    }
    early.push(trial);
    if (read > 0) left.set(`${holder} read`, room(holder, 'read') - read);
    if (write > 0) left.set(`${holder} write`, room(holder, 'write') - write);
  }
  return { early, late };
}

/**
 * Operations that single requests are tried on: all of them to certify, one of each group and kind for a quick check.
 */
export function sample(profile: Profile, mode: Mode): Profile['operations'] {
  if (mode === 'certify') return profile.operations;
  const seen = new Set<string>();
  return profile.operations.filter((operation) => {
    const place = `${operation.group} ${operation.kind}`;
    if (seen.has(place)) return false;
    seen.add(place);
    return true;
  });
}
