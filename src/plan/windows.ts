import type { Way } from '../catalogue/key-states.ts';
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

/** Requests of one operation and way in one burst that create things to be removed again: each costs a write later. */
const FEW = 2;

/** What mixing requests in one budget distinguishes, the most useful first, so that a run with few keys tries it first. */
const TOLD_APART = ['way', 'group', 'method', 'path', 'operation'] as const;

const ALONE = TOLD_APART.map((factor) => ({ given: { company: ['alone'] }, factors: [factor], strength: 1 }));

/**
 * Who spends the windows of the tracks of one kind, in their order. A budget that one operation spends alone refutes a lower limit of its
 * own, of its group, its method, its kind of path or its header; one that all share refutes budgets apart and operations that are not
 * counted. Operations that need preparation, or use up their target, spend none: their preparation would be counted too. Each window of a
 * single operation goes to the one that shows most that no earlier window showed.
 */
export function loadsOf(
  profile: Profile,
  kind: Kind,
  roles: readonly Role[],
  thirdWindow: boolean,
): readonly (readonly Load[])[] {
  const operations = spenders(profile, kind);
  const shared: Load = {
    company: 'shared',
    carriers: operations.flatMap((operation) =>
      (['x-api-key', 'bearer'] as const).map((way) => ({
        operation,
        way,
        most: operation.cleanup.length > 0 ? FEW : 1000,
      })),
    ),
  };
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
    if (!carrier) return shared;
    for (const each of gains[best] ?? []) told.add(each);
    return { company: 'alone', carriers: [carrier] };
  };
  const loadOf = { alone: next, shared: () => shared, few: () => few };
  // The third window of `silent` for writes uses one connection, so this budget is not spent like others.
  const companyOf = (role: Role) => COMPANY[role].slice(0, kind === 'write' || !thirdWindow ? 2 : 3);
  return roles.map((role) => companyOf(role).map((company) => loadOf[company]()));
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

/** What the windows of a track contribute to coverage: each carrier within the limit, over it, and together with others. */
export function levelsOfLoad(load: Load, key: string): Levels[] {
  return load.carriers.flatMap(({ operation, way }) => {
    const levels = { ...operationLevels(operation), way, key };
    const within = { ...levels, fault: 'none' };
    return load.company === 'few' ? [within] : [within, { ...levels, fault: 'over-limit', company: load.company }];
  });
}
