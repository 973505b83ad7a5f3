import type { Way } from '../catalogue/key-states.ts';
import { LIMITS } from '../catalogue/limits.ts';
import type { Operation, Profile } from '../profile/profile.ts';
import { clearsAtOnce, repeatable } from '../profile/repetition.ts';
import type { Kind } from '../trace/exchange.ts';
import { combinationsOf, type Levels } from './cover.ts';
import { COLD, type Role } from './roles.ts';
import { operationLevels } from './trials.ts';

/** One class of requests that spends a budget, with others or alone. */
export interface Carrier {
  readonly operation: Operation;
  readonly way: Exclude<Way, 'none'>;
  /** Maximum number of these in one burst. */
  readonly most: number;
}

/** Who spends the budget in one window. */
export interface Load {
  /** `few`: the budget is not spent, and each takes part once. */
  readonly company: 'alone' | 'shared' | 'few';
  readonly carriers: readonly Carrier[];
}

/** Who spends each window of a role: `shared` in enough windows for every operation to meet the others on every key. */
const COMPANY: Readonly<Record<Role, readonly Load['company'][]>> = {
  polled: ['shared', 'alone'],
  silent: ['alone', 'shared', 'alone'],
  boundary: ['shared', 'alone'],
  idle: ['few', 'alone'],
  brief: ['shared'],
};

const WAYS = ['x-api-key', 'bearer'] as const;

/** Requests of one operation and way in one burst that create things to be removed again: each costs a write later. */
const FEW = 2;

/**
 * How many requests in one budget show a limit of one operation's own: clause 8 has one limit for all, so another one
 * is seldom more than a quarter of it.
 */
const TELLING_SHARE = 1 / 4;

/**
 * What mixing requests in one budget distinguishes, the most useful first, so that a run with few keys tries it first.
 */
const TOLD_APART = ['way', 'group', 'method', 'path', 'operation'] as const;

const ALONE = TOLD_APART.map((factor) => ({ given: { company: ['alone'] }, factors: [factor], strength: 1 }));

/**
 * Who spends the windows of the tracks of one kind, in their order. A budget that one operation spends alone refutes a
 * lower limit of its own, of its group, its method, its kind of path or its header; one that all share refutes budgets
 * apart and operations that are not counted. Operations that need preparation, or use up their target, spend none:
 * their preparation would be counted too. Each window of a single operation goes to the one that shows most that no
 * earlier window showed. If there are more operations than such windows, the others take turns to have most of a shared
 * one: each other request is there once.
 */
export function loadsOf(
  profile: Profile,
  kind: Kind,
  roles: readonly Role[],
  thirdWindow: boolean,
): readonly (readonly Load[])[] {
  const operations = spenders(profile, kind);
  const sharedBy = (favoured: readonly Operation[]): Load => ({
    company: 'shared',
    // If a budget has no room for all, those that come first are sent.
    carriers: beginningWith(favoured[0], operations).flatMap((operation) =>
      WAYS.map((way) => ({ operation, way, most: favoured.includes(operation) ? mostOf(operation) : 1 })),
    ),
  });
  const few: Load = {
    company: 'few',
    carriers: operations.slice(0, COLD[kind]).map((operation, index) => {
      return { operation, way: index % 2 === 0 ? 'bearer' : 'x-api-key', most: 1000 };
    }),
  };
  const alone = lonely(operations);
  const told = new Set<string>();
  let turns = 0;
  const next = (): Load => {
    const gains = alone.map((carrier) => combinationsOf(levelsAlone(carrier), ALONE).filter((each) => !told.has(each)));
    const best = gains.reduce((most, gain, index) => (gain.length > (gains[most]?.length ?? 0) ? index : most), 0);
    // When everything is shown, they take turns.
    const carrier = alone[(gains[best]?.length ?? 0) > 0 ? best : turns % alone.length];
    turns += 1;
    if (!carrier) return sharedBy(operations);
    for (const each of gains[best] ?? []) told.add(each);
    return { company: 'alone', carriers: [carrier] };
  };
  // The third window of `silent` for writes uses one connection, so this budget is not spent like others.
  const companyOf = (role: Role) => COMPANY[role].slice(0, kind === 'write' || !thirdWindow ? 2 : 3);
  const spentAlone = roles.map((role) => companyOf(role).map((company) => (company === 'alone' ? next() : null)));
  const lonelyOnes = new Set(
    spentAlone.flat().flatMap((load) => load?.carriers.map(({ operation }) => operation) ?? []),
  );
  const favour = inTurn(operations.filter((each) => !lonelyOnes.has(each) && mostOf(each) > FEW));
  const most = Math.floor((LIMITS[kind] - WAYS.length * operations.length) / (LIMITS[kind] * TELLING_SHARE));
  const shared = (): Load => sharedBy(favour(Math.max(1, most)) ?? operations);
  return roles.map((role, track) =>
    companyOf(role).map((company, at) => spentAlone[track]?.[at] ?? (company === 'few' ? few : shared())),
  );
}

/** The same in a circle, from this one on. */
function beginningWith<T>(first: T | undefined, all: readonly T[]): readonly T[] {
  const at = Math.max(0, first === undefined ? 0 : all.indexOf(first));
  return [...all.slice(at), ...all.slice(0, at)];
}

/** Maximum number of requests of one operation and way in one burst. */
function mostOf({ cleanup }: Operation): number {
  return cleanup.length > 0 ? FEW : 1000;
}

/** Gives the next ones of a list, so many at a time and from the start again; null if it is empty. */
function inTurn<T>(all: readonly T[]): (count: number) => readonly T[] | null {
  let at = 0;
  return (count) => {
    if (all.length === 0) return null;
    const next = [...all.slice(at), ...all.slice(0, at)].slice(0, count);
    at = (at + next.length) % all.length;
    return next;
  };
}

/** Operations that budgets of this kind are spent by, best first. */
export function spenders(profile: Profile, kind: Kind): readonly Operation[] {
  const many = repeatable(profile.operations, kind);
  const plain = many.filter((each) => each.prepare.length === 0 && !clearsAtOnce(each));
  return plain.length > 0 ? plain : many.slice(0, 1);
}

/** Operations that can spend a budget alone, in both ways: those that leave nothing behind come first. */
function lonely(operations: readonly Operation[]): Carrier[] {
  const rank = ({ cleanup }: Operation): number => (cleanup.length > 0 ? 1 : 0);
  return operations
    .toSorted((one, other) => rank(one) - rank(other))
    .flatMap((operation) => (['bearer', 'x-api-key'] as const).map((way) => ({ operation, way, most: 1000 })));
}

function levelsAlone({ operation, way }: Carrier): Levels {
  return { ...operationLevels(operation), way, company: 'alone' };
}

/**
 * What the windows of a track contribute to coverage: each carrier within the limit, over it, and together with others.
 */
export function levelsOfLoad(load: Load, key: string): Levels[] {
  return load.carriers.flatMap(({ operation, way }) => {
    const levels = { ...operationLevels(operation), way, key };
    const within = { ...levels, fault: 'none' };
    return load.company === 'few' ? [within] : [within, { ...levels, fault: 'over-limit', company: load.company }];
  });
}
