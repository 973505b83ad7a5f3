import type { RequirementId } from '../catalogue/requirement.ts';
import { REQUIREMENTS } from '../catalogue/requirements.ts';
import type { Operation, Profile } from '../profile/profile.ts';
import { repeatable } from '../profile/repetition.ts';
import type { Kind } from '../trace/exchange.ts';
import type { PlannedExperiment } from '../trace/trace.ts';
import { cost, LIMITS, PREFLIGHT_REQUESTS, REPEATS, type Role, SHARED_AFTER_S, WINDOW_S } from './roles.ts';

/** What a run may spend: `certify` exhausts budgets, `check` does not. */
export type Mode = 'certify' | 'check';

export interface PlanInput {
  readonly profile: Profile;
  readonly keys: { readonly full: readonly string[]; readonly restricted: boolean; readonly revoked: boolean };
  readonly selection: ReadonlySet<RequirementId>;
  readonly mode: Mode;
}

/** What one budget goes through. */
export interface Track {
  readonly id: string;
  readonly role: Role;
  readonly key: string;
  readonly kind: Kind;
  /** Seconds after the start of the run. */
  readonly start: number;
  /** Whether the ways of evading a spent budget are tried on this one. */
  readonly variants: boolean;
}

export interface Plan {
  readonly mode: Mode;
  readonly tracks: readonly Track[];
  /** Run authentication, statuses and observations. */
  readonly authentication: boolean;
  readonly status: boolean;
  readonly observed: boolean;
  /** Send a key in the query, too, where access logs keep it: only where AUTH-O3 was asked for, and not everything was. */
  readonly keyInQuery: boolean;
  readonly experiments: readonly PlannedExperiment[];
  /** At most this many requests. */
  readonly requests: number;
  /** About this many seconds, if the target answers at once and its first window is a whole one. */
  readonly seconds: number;
  /** No plan that sees the same defects is shorter, and why. */
  readonly lowerBound: { readonly seconds: number; readonly why: string };
}

/** Roles of a key's reads and writes, by how many keys there are. More than four keys repeat the four, a little later. */
const ALLOCATION: Readonly<Record<1 | 2 | 3 | 4, readonly (readonly [Role, Role])[]>> = {
  1: [['alpha', 'gamma']],
  2: [
    ['alpha', 'gamma'],
    ['beta', 'alpha'],
  ],
  3: [
    ['alpha', 'gamma'],
    ['beta', 'alpha'],
    ['gamma', 'beta'],
  ],
  4: [
    ['alpha', 'alpha'],
    ['beta', 'beta'],
    ['gamma', 'gamma'],
    ['delta', 'delta'],
  ],
};

/** More keys than this make a verdict no surer, only dearer. */
const MOST_KEYS = 8;

/** What comes when all tracks have ended. */
const AT_THE_END: ReadonlySet<string> = new Set(['observed', 'clean-up']);

/** Experiments that bear on no requirement of their own. */
const UNCONDITIONAL: ReadonlySet<string> = new Set(['preflight', 'clean-up']);

/** Requests that `authentication` may send: see drive/experiments/authentication.ts. */
const FOR_EACH_OPERATION = 4;
const BAD_KEYS = 5;
const MISFIT_KEYS = 2;
const SETTLED = 4;
const OBSERVED_REQUESTS = 24;
const VARIANT_REQUESTS = 25;

const NEEDS_AUTHENTICATION = /^(AUTH-\d|STATUS-(200|401|SET|NO5XX)|HDR-[1236]|LIMIT-ANON|VERSION-1)$/;
const NEEDS_STATUS = /^(AUTH-6|STATUS-(400|403|404|500|SET|NO5XX)|HDR-[1236])$/;
const NEEDS_OBSERVED = /-O\d$/;
const NEEDS_BUDGETS = /^(STATUS-(429|NO5XX)|HDR-[145678]|LIMIT-.*)$/;

/**
 * Which experiments run on which key, when, and at what cost. Pure: the same input gives the same plan, so its length can be
 * compared with the lower bound and it can be printed before anything is sent.
 */
export function makePlan({ profile, keys, selection, mode }: PlanInput): Plan {
  const needs = (pattern: RegExp): RequirementId[] => [...selection].filter((id) => pattern.test(id));
  const budgets = mode === 'certify' && needs(NEEDS_BUDGETS).length > 0;
  const tracks = budgets ? allocate(profile, keys.full) : [];
  const shared = tracks.length > 0 ? Math.floor(SHARED_AFTER_S) : 1;
  const experiments: PlannedExperiment[] = [
    planned('preflight', [], keys.full.slice(0, 1), PREFLIGHT_REQUESTS, 0, 1, null),
    planned(
      'authentication',
      needs(NEEDS_AUTHENTICATION),
      keys.full.slice(0, 1),
      sample(profile, mode).length * FOR_EACH_OPERATION + 3 * BAD_KEYS + MISFIT_KEYS + SETTLED + REPEATS,
      shared,
      2,
      null,
    ),
    planned(
      'status',
      needs(NEEDS_STATUS),
      keys.full.slice(0, 1),
      2 * probeCount(profile) + 1 + REPEATS,
      shared,
      2,
      null,
    ),
    ...tracks.map((track) => {
      const { requests, seconds } = cost(track.role, track.kind, track.variants ? VARIANT_REQUESTS : 0);
      return planned(track.id, needs(NEEDS_BUDGETS), [track.key], requests, track.start, seconds, null);
    }),
    ...(['read', 'write'] as const)
      .filter((kind) => budgets && repeatable(profile.operations, kind).length === 0)
      .map((kind) =>
        planned(
          `alpha-${kind}`,
          needs(NEEDS_BUDGETS),
          [],
          0,
          0,
          0,
          `the profile names no ${kind} operation that can be sent many times at once`,
        ),
      ),
    planned('observed', needs(NEEDS_OBSERVED), keys.full.slice(0, 1), OBSERVED_REQUESTS, 2 * WINDOW_S + 4, 1, null),
    ...(profile.operations.some((operation) => operation.cleanup.length > 0)
      ? [planned('clean-up', [], keys.full, LIMITS.write * keys.full.length, 2 * WINDOW_S + 5, 1, null)]
      : []),
  ].filter((each) => UNCONDITIONAL.has(each.id) || each.requirements.length > 0);
  const run = experiments.filter((each) => each.omitted === null);
  const last = Math.max(0, ...tracks.map((track) => track.start + cost(track.role, track.kind, 0).seconds));
  return {
    mode,
    tracks,
    authentication: experiments.some((each) => each.id === 'authentication'),
    status: experiments.some((each) => each.id === 'status'),
    observed: experiments.some((each) => each.id === 'observed'),
    keyInQuery: selection.has('AUTH-O3') && selection.size < EVERYTHING.size,
    experiments: experiments.map((each) =>
      AT_THE_END.has(each.id) ? { ...each, start: last === 0 ? 2 : last } : each,
    ),
    requests: run.reduce((sum, each) => sum + each.requests, 0),
    seconds: Math.max(...run.map((each) => (AT_THE_END.has(each.id) ? last : each.start) + each.seconds)),
    lowerBound:
      tracks.length > 0
        ? {
            seconds: 2 * WINDOW_S,
            why: 'a fault in how a second window ends shows only when two have passed, whatever the number of keys (on a clock’s grid, the first may have begun before the run)',
          }
        : { seconds: 0, why: 'no budget is spent' },
  };
}

/** Operations that authentication is tried on: all of them to certify, one of each group and kind for a quick check. */
export function sample(profile: Profile, mode: Mode): readonly Operation[] {
  if (mode === 'certify') return profile.operations;
  const seen = new Set<string>();
  return profile.operations.filter((operation) => {
    const place = `${operation.group} ${operation.kind}`;
    if (seen.has(place)) return false;
    seen.add(place);
    return true;
  });
}

/** Every ID of the catalogue: what a certificate needs to have been judged. */
export const EVERYTHING: ReadonlySet<RequirementId> = new Set(REQUIREMENTS.map((each) => each.id));

function allocate(profile: Profile, keys: readonly string[]): Track[] {
  const tracks: Track[] = [];
  const used = keys.slice(0, MOST_KEYS);
  const allocation = ALLOCATION[Math.min(used.length, 4) as 1 | 2 | 3 | 4] ?? [];
  for (const [index, key] of used.entries()) {
    const roles = allocation[index % 4];
    if (!roles) continue;
    for (const [position, kind] of (['read', 'write'] as const).entries()) {
      const role = roles[position];
      if (role === undefined || repeatable(profile.operations, kind).length === 0) continue;
      tracks.push({
        id: `${role}-${kind}@${key}`,
        role,
        key,
        kind,
        start: index < 4 ? 0 : 2 + (index - 4) * 0.7,
        variants: role === 'alpha' || (role === 'gamma' && used.length === 1),
      });
    }
  }
  return tracks;
}

function probeCount({ probes }: Profile): number {
  return Object.values(probes).reduce((sum, each) => sum + each.length, 0);
}

function planned(
  id: string,
  requirements: readonly RequirementId[],
  keys: readonly string[],
  requests: number,
  start: number,
  seconds: number,
  omitted: string | null,
): PlannedExperiment {
  return { id, requirements, keys, requests, start, seconds, omitted };
}
