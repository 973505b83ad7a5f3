import { BAD_KEYS, type BadKey, type Way } from '../catalogue/key-states.ts';
import type { Operation, Probe, Profile } from '../profile/profile.ts';
import type { Fault, Kind } from '../trace/exchange.ts';
import type { Levels } from './cover.ts';

/** One request whose answer is judged by itself, and when in the run it is sent. */
export interface Trial {
  readonly operation: Operation;
  readonly way: Way;
  readonly fault: Exclude<Fault, 'unstated'>;
  /** Null: a real key, or none. */
  readonly badKey: BadKey | null;
  /** Alias of the key, or of the good key that a bad one resembles; null: none. */
  readonly key: string | null;
  readonly probe: Probe | null;
}

/** The keys of a run, by alias. */
export interface PlanKeys {
  readonly full: readonly string[];
  readonly restricted: boolean;
  readonly revoked: boolean;
}

const WAYS = ['x-api-key', 'bearer'] as const;

/** What a probe of the profile provokes. */
const PROBES = [
  ['parameter', 'invalidParameter'],
  ['missing', 'notFound'],
  ['permission', 'forbidden'],
  ['internal', 'internalFailure'],
] as const;

/**
 * Every single request that profile and keys allow: what the plan chooses from. Good ones first, reads before writes.
 */
export function possibleTrials(
  profile: Profile,
  keys: PlanKeys,
  operations: readonly Operation[],
  quick: boolean,
): Trial[] {
  const ordered = [...operations].sort((one, other) => price(one) - price(other));
  return [
    ...goodTrials(ordered, keys.full),
    ...ordered.map((operation): Trial => trial(operation, 'none', 'no-key', null)),
    ...probeTrials(profile, keys),
    ...badKeyTrials(ordered, keys, quick),
  ];
}

/** Every operation with every full key, in either header. */
export function goodTrials(operations: readonly Operation[], full: readonly string[]): Trial[] {
  return full.flatMap((key) => operations.flatMap((operation) => WAYS.map((way) => goodTrial(operation, way, key))));
}

/**
 * On the first key every form on every operation. The other keys only need every form, so these have every form on one
 * operation of each method.
 */
function badKeyTrials(operations: readonly Operation[], { full }: PlanKeys, quick: boolean): Trial[] {
  const oneOfEachMethod = [...new Map(operations.toReversed().map((each) => [each.method, each])).values()];
  return BAD_KEYS.filter((each) => each.quick || !quick).flatMap((badKey) =>
    full.flatMap((key, index) =>
      (index === 0 ? operations : oneOfEachMethod).flatMap((operation) =>
        badKey.ways.map((way) => ({ ...trial(operation, way, 'bad-key', key), badKey })),
      ),
    ),
  );
}

function probeTrials(profile: Profile, keys: PlanKeys): Trial[] {
  return PROBES.flatMap(([fault, list]) =>
    profile.probes[list].flatMap((probe) => {
      const operation = profile.operations.find((each) => each.id === probe.operation);
      const holders = fault === 'permission' ? (keys.restricted ? ['restricted'] : []) : keys.full;
      if (!operation) return [];
      return holders.flatMap((key) => WAYS.map((way) => ({ ...trial(operation, way, fault, key), probe })));
    }),
  );
}

/** A request in order. */
export function goodTrial(operation: Operation, way: Way, key: string): Trial {
  return trial(operation, way, 'none', key);
}

function trial(operation: Operation, way: Way, fault: Trial['fault'], key: string | null): Trial {
  return { operation, way, fault, badKey: null, key, probe: null };
}

/** The cost of a request for the order of candidates: a write, and each write that prepares it, is expensive. */
function price({ kind, prepare }: Operation): number {
  return (kind === 'read' ? 0 : 1) + prepare.length;
}

/** The levels of a single request. A key that is made up or empty resembles none of the run. */
export function levelsOf({ operation, way, fault, badKey, key, probe }: Trial): Levels {
  const resembles = badKey?.family !== 'unknown' && badKey?.family !== 'empty';
  return {
    ...operationLevels(operation),
    way,
    fault,
    company: 'single',
    ...(key !== null && resembles ? { key } : {}),
    ...(badKey === null ? {} : { state: badKey.name }),
    ...(probe === null ? {} : { probe: probe.name }),
  };
}

/** The levels of an operation: the form of its path, its number of segments, and whether it has a query. */
export function operationLevels({ id, group, kind, method, path, query }: Operation): Levels {
  const segments = path.split('?')[0]?.split('/').filter(Boolean).length ?? 0;
  const asked = path.includes('?') || Object.keys(query).length > 0 ? ' with a query' : '';
  return { operation: id, group, kind, method, path: `${segments} segments${asked}` };
}

/** The maximum requests that a trial uses of its key's budgets: none if no key is accepted. */
export function costOf({ operation, fault }: Trial): Readonly<Record<Kind, number>> {
  const none = { read: 0, write: 0 };
  if (fault === 'no-key' || fault === 'bad-key') return none;
  const own = { ...none, [operation.kind]: 1 };
  return { ...own, write: own.write + operation.prepare.length };
}
