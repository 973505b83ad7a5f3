import { servedBy } from '../catalogue/coverage.ts';
import type { RequirementId } from '../catalogue/requirement.ts';
import type { Profile } from '../profile/profile.ts';
import { repeatable } from '../profile/repetition.ts';
import type { Kind } from '../trace/exchange.ts';
import type { Allowance } from './allowance.ts';
import { WINDOWS_NEEDED } from './least-time.ts';
import { APART_S, type Role } from './roles.ts';
import { type Load, loadsOf } from './windows.ts';

/** What a run may spend: `certify` exhausts budgets, `check` does not. */
export type Mode = 'certify' | 'check';

/** The plan for one budget. */
export interface Track {
  readonly id: string;
  readonly role: Role;
  readonly key: string;
  readonly kind: Kind;
  /** Seconds after the start of the run. */
  readonly start: number;
  /** Whether the ways of evading a spent budget are tried on this one. */
  readonly variants: boolean;
  /** How many other operations are tried on it then. */
  readonly others: number;
  /**
   * Whether a request of the other kind with the same key follows when it is spent: where that kind's budget is not to
   * be left alone.
   */
  readonly asksBeside: boolean;
  /** Whether it is spent a third time, at the end, if its role does so. */
  readonly isSpentAgain: boolean;
  /** Who spends the budget in each of its windows. */
  readonly loads: readonly Load[];
}

/** What a key's reads and writes do. */
interface Roles extends Readonly<Record<Kind, Role>> {
  /** How many seconds after the start of the run each begins; left out: at once. */
  readonly after?: Partial<Readonly<Record<Kind, number>>>;
}

/** The roles of each key. */
type Allocation = readonly Roles[];

/**
 * By how many keys there are: from three on, each role at least once, and on one key reads begin after writes: if both
 * have one expiry, the counts of reads are lost before their window ends. On some keys the kinds have different roles:
 * where both are spent at the same time, a limiter that refuses one with the other looks right. More than four keys
 * repeat the four, a little later.
 */
const ALLOCATION: Readonly<Record<1 | 2 | 3 | 4, Allocation>> = {
  1: [{ read: 'polled', write: 'boundary' }],
  2: [
    { read: 'polled', write: 'boundary' },
    { read: 'silent', write: 'polled' },
  ],
  3: [
    { read: 'polled', write: 'boundary' },
    { read: 'silent', write: 'polled' },
    { read: 'idle', write: 'silent', after: { read: APART_S } },
  ],
  4: [
    { read: 'polled', write: 'polled' },
    { read: 'silent', write: 'boundary' },
    { read: 'boundary', write: 'silent' },
    { read: 'idle', write: 'idle', after: { read: APART_S } },
  ],
};

/** Requirements that budgets of one kind do not test. */
export const OTHER_KIND: Readonly<Record<Kind, RequirementId>> = { read: 'LIMIT-W', write: 'LIMIT-R' };

/** Two keys show that budgets are separate; if no window has to end, more keys show nothing more. */
const BRIEF: Allocation = [
  { read: 'brief', write: 'brief' },
  { read: 'brief', write: 'brief' },
];

export function rolesFor(selection: ReadonlySet<RequirementId>, keys: number): Allocation {
  if ([...selection].every((id) => WINDOWS_NEEDED[id] < 1)) return BRIEF.slice(0, keys);
  const allocation: Allocation = ALLOCATION[Math.min(keys, 4) as 1 | 2 | 3 | 4] ?? [];
  return Array.from({ length: keys }, (_, index) => allocation[index % 4] ?? { read: 'polled', write: 'boundary' });
}

/** Only one kind if only its threshold was selected. */
export function kindsFor(selection: ReadonlySet<RequirementId>): readonly Kind[] {
  const kinds = ['read', 'write'] as const;
  return kinds.filter((kind) => servedBy('budgets', selection).some((id) => id !== OTHER_KIND[kind]));
}

/** A track for each budget of these kinds that the profile can spend. */
export function allocate(
  profile: Profile,
  keys: readonly string[],
  allocation: Allocation,
  kinds: readonly Kind[],
  { thirdWindow, oneConnection, others }: Pick<Allowance, 'thirdWindow' | 'oneConnection' | 'others'>,
): Track[] {
  return kinds.flatMap((kind) => {
    if (repeatable(profile.operations, kind).length === 0) return [];
    const roles = allocation.map((each) => each[kind]);
    const loads = loadsOf(profile, kind, roles, thirdWindow);
    return roles.map((role, index): Track => {
      const key = keys[index] ?? '';
      return {
        id: `${role}-${kind}@${key}`,
        role,
        key,
        kind,
        start: (allocation[index]?.after?.[kind] ?? 0) + (index < 4 ? 0 : 2 + (index - 4) * 0.7),
        variants: role === 'polled' || (role === 'boundary' && keys.length === 1) || (role === 'brief' && index === 0),
        others,
        asksBeside: isAskedBeside(allocation[index], kinds, kind),
        isSpentAgain: kind === 'read' ? thirdWindow : oneConnection,
        loads: loads[index] ?? [],
      };
    });
  });
}

/**
 * Whether the other kind's budget of a key is used by this run, and takes one request more: `idle` shows what an idle
 * one does.
 */
function isAskedBeside(roles: Roles | undefined, kinds: readonly Kind[], kind: Kind): boolean {
  return kinds.some((other) => other !== kind && roles !== undefined && roles[other] !== 'idle');
}
