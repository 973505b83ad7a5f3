import { type ExperimentName, servedBy } from '../catalogue/coverage.ts';
import { LIMITS, WINDOW_S } from '../catalogue/limits.ts';
import type { RequirementId } from '../catalogue/requirement.ts';
import { REQUIREMENTS } from '../catalogue/requirements.ts';
import type { Profile } from '../profile/profile.ts';
import { repeatable } from '../profile/repetition.ts';
import type { Kind } from '../trace/exchange.ts';
import type { PlannedExperiment } from '../trace/trace.ts';
import {
  type Allowance,
  leftOutBy,
  mostRequests,
  ODD_TO_CHECK,
  type OddAllowance,
  oddCost,
  repeatsWithin,
  withinBound,
} from './allowance.ts';
import { controlOf, firstOfEach, provokes, requestsOf, ridden, uncontrolled } from './controls.ts';
import { BAD_PARTS, FAILURES_IN_A_ROW, PREFLIGHT_REQUESTS, SHARED_AFTER_S } from './roles.ts';
import { type Schedule, scheduleOf } from './schedule.ts';
import { cost } from './track-cost.ts';
import { allocate, kindsFor, type Mode, OTHER_KIND, rolesFor, type Track } from './tracks.ts';
import type { PlanKeys } from './trials.ts';

export interface PlanInput {
  readonly profile: Profile;
  readonly keys: PlanKeys;
  readonly selection: ReadonlySet<RequirementId>;
  readonly mode: Mode;
}

export interface Plan {
  readonly mode: Mode;
  readonly tracks: readonly Track[];
  /** The single requests, and when they are sent. */
  readonly schedule: Schedule;
  /** How often, in all, single requests without an answer are sent again. */
  readonly repeats: number;
  readonly observed: boolean;
  /** Whether many failed requests follow each other after those. */
  readonly failuresInARow: boolean;
  /** Whether each budget is looked at before and after the last bad requests. */
  readonly settles: boolean;
  readonly odd: OddAllowance;
  /** Also send a key in the query, where access logs keep it: only if the user selected AUTH-O3 and not everything. */
  readonly keyInQuery: boolean;
  readonly experiments: readonly PlannedExperiment[];
  /** At most this many requests. */
  readonly requests: number;
  /** About this many seconds, if the target answers at once and its first window is complete. */
  readonly seconds: number;
  /** The length below which no plan can find the same defects, and why. */
  readonly lowerBound: { readonly seconds: number; readonly why: string };
}

/** More keys than this do not improve a verdict, but cost more. */
const MOST_KEYS = 8;

/** The experiments after the end of all tracks. */
const AT_THE_END: ReadonlySet<string> = new Set(['further', 'odd', 'observed', 'clean-up']);

/** Experiments without their own requirement. */
const UNCONDITIONAL: ReadonlySet<string> = new Set(['preflight', 'clean-up']);

/** A control before and after ten ways to send keys and four requests outside of the profile. */
const OBSERVED_REQUESTS = 16;
/**
 * Requests that show whether those before them were counted: of each kind after the good ones and after each part of
 * the bad ones.
 */
const SETTLED = 2 * (1 + BAD_PARTS);

/** The same with each key, of each kind, before and after the last bad ones. */
const SETTLED_EACH = 2 * 2;

/**
 * Which experiments run on which key, when, and at what cost. Pure: the same input gives the same plan, so its length
 * can be compared with the lower bound, and it can be printed before anything is sent. It keeps to a limit on requests
 * and names what this leaves out.
 */
export function makePlan(input: PlanInput): Plan {
  return withinBound(
    mostRequests(Math.min(input.keys.full.length, MOST_KEYS)),
    (allowance) => planWith(input, allowance),
    ({ requests, repeats, schedule: { early, late } }) => ({ requests, repeats, singles: early.length + late.length }),
  );
}

function planWith({ profile, keys: given, selection, mode }: PlanInput, allowance: Allowance): Plan {
  const keys = { ...given, full: given.full.slice(0, mode === 'certify' ? MOST_KEYS : 1) };
  const serving = (name: ExperimentName): RequirementId[] => servedBy(name, selection);
  const budgets = mode === 'certify' && serving('budgets').length > 0;
  const tracks = budgets
    ? allocate(profile, keys.full, rolesFor(selection, keys.full.length), kindsFor(selection), allowance)
    : [];
  const schedule = scheduleOf(profile, keys, { selection, mode, tracks, allowance });
  const { early, late } = schedule;
  const repeats = repeatsWithin(allowance, early.length + late.length);
  const provoking = early.filter(provokes);
  const odd = mode === 'certify' ? allowance.odd : ODD_TO_CHECK;
  const settles = tracks.length > 0 && allowance.again;
  const failuresInARow = mode === 'certify' && allowance.failuresInARow;
  const [firstKey = ''] = keys.full;
  // Where no budget is measured, each key is tried first, in either header.
  const tried = tracks.length === 0 ? given.full : [];
  // A check takes whichever full key has most left.
  const all = mode === 'check' ? given.full : keys.full;
  const holders = mode === 'check' ? all : all.slice(0, 1);
  const controls = [...firstOfEach(provoking), ...uncontrolled(provoking, early)].map((each) =>
    controlOf(each, firstKey),
  );
  const shared = tracks.length > 0 ? Math.floor(SHARED_AFTER_S) : 1;
  const revoked = keys.revoked && mode === 'certify' ? 2 : 0;
  const polled = (kind: Kind): string => `the profile names no ${kind} operation that can be sent many times at once`;
  const unpolled = kindsFor(selection).filter((kind) => budgets && repeatable(profile.operations, kind).length === 0);
  const cleansUp = profile.operations.some((operation) => operation.cleanup.length > 0);
  const experiments: PlannedExperiment[] = [
    planned('preflight', [], {
      keys: tried.length > 0 ? tried : holders,
      requests: PREFLIGHT_REQUESTS + 2 * tried.length,
    }),
    planned('authentication', serving('authentication'), {
      keys: holders,
      requests: requestsOf(early) - requestsOf(provoking) + revoked + SETTLED + repeats,
      start: shared,
      seconds: 2,
    }),
    planned('status', serving('status'), {
      keys: all,
      requests: requestsOf(provoking) + requestsOf(controls) + 1,
      start: shared,
      seconds: 2,
    }),
    ...tracks.map((track) => {
      const { requests, seconds } = cost(track, track.variants ? evasions(profile, track) : 0);
      return planned(
        track.id,
        serving('budgets').filter((id) => id !== OTHER_KIND[track.kind]),
        { keys: [track.key], requests: requests - ridden(track, [...early, ...controls]), start: track.start, seconds },
      );
    }),
    ...unpolled.map((kind) => leftOut(`polled-${kind}`, serving('budgets'), polled(kind))),
    planned('further', late.length > 0 || tracks.length > 0 ? serving('further') : [], {
      keys: keys.full,
      requests:
        requestsOf(late) +
        requestsOf(uncontrolled(late, [...early, ...late]).map((each) => controlOf(each, firstKey))) +
        (serving('authentication').length > 0 ? 0 : repeats) +
        (settles ? SETTLED_EACH * keys.full.length : 0) +
        1,
    }),
    planned('odd', serving('odd'), { keys: all, requests: oddCost(profile.operations, odd) }),
    planned('observed', serving('observed'), {
      keys: holders,
      requests: OBSERVED_REQUESTS + (failuresInARow ? FAILURES_IN_A_ROW + 2 : 0),
      start: 2 * WINDOW_S + 4,
    }),
    ...(cleansUp
      ? [planned('clean-up', [], { keys: all, requests: LIMITS.write * keys.full.length, start: 2 * WINDOW_S + 5 })]
      : []),
  ].filter((each) => UNCONDITIONAL.has(each.id) || each.requirements.length > 0);
  const most = mostRequests(keys.full.length);
  for (const { id, what, advice } of mode === 'certify' ? leftOutBy(allowance, tracks, profile.operations) : []) {
    experiments.push(
      leftOut(id, [], `the suite keeps a run within ${most} requests, so it does without ${what}. ${advice}`),
    );
  }
  const run = experiments.filter((each) => each.omitted === null);
  const last = Math.max(0, ...tracks.map((track) => track.start + cost(track, 0).seconds));
  return {
    mode,
    tracks,
    schedule,
    repeats,
    observed: experiments.some((each) => each.id === 'observed'),
    failuresInARow,
    settles,
    odd,
    keyInQuery: selection.has('AUTH-O3') && selection.size < EVERYTHING.size,
    experiments: experiments.map((each) =>
      AT_THE_END.has(each.id) ? { ...each, start: last === 0 ? 2 : last } : each,
    ),
    requests: run.reduce((sum, each) => sum + each.requests, 0),
    seconds: Math.max(...run.map((each) => (AT_THE_END.has(each.id) ? last : each.start) + each.seconds)),
    lowerBound: tracks.some(({ role }) => role !== 'brief')
      ? {
          seconds: 2 * WINDOW_S,
          why: 'some faults show only when a second window of a minute has ended, and more keys do not change that',
        }
      : { seconds: 0, why: tracks.length > 0 ? 'no window has to end' : 'no budget is spent' },
  };
}

/** Every ID of the catalogue: a certificate needs a verdict on each. */
export const EVERYTHING: ReadonlySet<RequirementId> = new Set(REQUIREMENTS.map((each) => each.id));

/** Requests on a spent budget: four controls, thirteen ways of evasion, and other operations of the kind. */
function evasions(profile: Profile, { kind, others }: Track): number {
  return 17 + Math.min(others, profile.operations.filter((operation) => operation.kind === kind).length);
}

/** An experiment that runs: at once and for a second, unless it says otherwise. */
function planned(
  id: string,
  requirements: readonly RequirementId[],
  { keys, requests, start = 0, seconds = 1 }: Effort,
): PlannedExperiment {
  return { id, requirements, keys, requests, start, seconds, omitted: null };
}

type Effort = Pick<PlannedExperiment, 'keys' | 'requests'> & Partial<Pick<PlannedExperiment, 'start' | 'seconds'>>;

/** An experiment that does not run. @param omitted why not */
function leftOut(id: string, requirements: readonly RequirementId[], omitted: string): PlannedExperiment {
  return { id, requirements, keys: [], requests: 0, start: 0, seconds: 0, omitted };
}
