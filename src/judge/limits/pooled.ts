import { analyse, reach } from '../../oracle/analyse.ts';
import { type Event, type History, WINDOW } from '../../oracle/history.ts';
import { type BudgetCase, isLacking } from './budget-case.ts';
import { type Budget, type Evidence, historyOf } from './budgets.ts';
import type { Cause } from './cause.ts';
import { withoutDeliveries } from './deliveries.ts';

/**
 * One budget for several keys, all of them or some: where a key at rest does not explain what its budget shows, and the requests of
 * these keys, taken as one budget, are explained wholly. Budgets of their own cannot pass for one: each would give out the
 * same values again, and together they would let through more than one limit allows. Earlier use of the keys, or others who
 * use them, cannot either, since every value of every key would have to fit the requests of the others by chance.
 */
export function poolKeys(cases: readonly BudgetCase[], evidence: Evidence): readonly BudgetCase[] {
  const found = (['read', 'write'] as const).flatMap((kind) => poolsOf(kind, cases, evidence));
  const pools = found.filter((pool) => switchesOf(pool, found) >= FEWEST_SWITCHES);
  return cases.map((each) => {
    const pool = pools.find(({ members }) => members.includes(each));
    if (!pool) return each;
    const suspects = pool.cause.suspects.filter(({ key }) => key !== each.budget.key);
    return { ...each, cause: { ...pool.cause, suspects }, otherLimit: null, otherWindow: null, disturbed: false };
  });
}

/** Cases whose budgets are one, and what says so. */
interface Pool {
  readonly members: readonly BudgetCase[];
  readonly cause: Cause;
  /** How often an answer to one key had to tell the requests of another. */
  readonly switches: number;
}

/** Of this pool and of the same keys' other kind: keys that share their reads as well as their writes do so twice over. */
function switchesOf({ cause }: Pool, pools: readonly Pool[]): number {
  return pools.reduce((sum, pool) => (pool.cause.part === cause.part ? sum + pool.switches : sum), 0);
}

/**
 * One pool of all keys, or else pairs of keys, those first that follow one another most often, and any key that is left over with the
 * pair that it fits.
 */
function poolsOf(kind: Budget['kind'], cases: readonly BudgetCase[], evidence: Evidence): readonly Pool[] {
  const all = cases.filter(({ budget }) => budget.kind === kind);
  const lacking = all.filter(isLacking);
  const full = all.filter(({ budget }) => budget.key !== 'restricted');
  // Of keys that share a budget, one at the most may have been done before the others began.
  const whole = lacking.length >= full.length - 1 ? poolOf(all, 'all keys', evidence) : null;
  if (whole) return [whole];
  const pairs = lacking.flatMap((one, index) =>
    lacking.slice(index + 1).flatMap((other) => poolOf([one, other], null, evidence) ?? []),
  );
  const pools: Pool[] = [];
  const isPooled = (each: BudgetCase): boolean => pools.some(({ members }) => members.includes(each));
  for (const pair of pairs.toSorted((one, other) => other.switches - one.switches)) {
    if (!pair.members.some(isPooled)) pools.push(pair);
  }
  for (const left of lacking.filter((each) => !isPooled(each))) {
    for (const [index, { members }] of pools.entries()) {
      const larger = poolOf([...members, left], null, evidence);
      if (!larger) continue;
      pools[index] = larger;
      break;
    }
  }
  return pools;
}

/** @param name what to call these keys; null: by their own names */
function poolOf(members: readonly BudgetCase[], name: string | null, evidence: Evidence): Pool | null {
  const [first] = members;
  if (!first || members.length < 2) return null;
  const keys = members.map(({ budget }) => budget.key).sort();
  const part = name ?? keys.join(', ');
  const exchanges = withoutDeliveries(members.flatMap(({ budget }) => budget.all));
  const pool = { ...historyOf(first.budget, exchanges, evidence), key: part };
  const switches = countSwitches(pool);
  if (switches === 0 || !fitsTwoWindows(pool) || risesAlone(pool)) return null;
  const findings = analyse(pool, { depth: 'whole' });
  if (reach(findings) < 3) return null;
  const supposition = `${part} draw on one budget`;
  const cause: Cause = {
    requirement: 'LIMIT-KEY',
    part,
    supposition,
    suspects: exchanges,
    findings: [findings],
    reach: 3,
  };
  return { members, cause, switches };
}

/** No mechanism lets more than two limits through within one window's length: what does is no single budget. */
function fitsTwoWindows({ events, limit }: History): boolean {
  const accepted = events.filter(({ outcome }) => outcome === 'accepted');
  let start = 0;
  for (const [index, { to }] of accepted.entries()) {
    while ((accepted[start]?.from ?? to) <= to - WINDOW) start++;
    if (index - start + 1 > 2 * limit) return false;
  }
  return true;
}

/** Answers that must have told another key's requests by their values: fewer might fit by chance. */
const FEWEST_SWITCHES = 3;

/** How often keys follow one another within a window, and the later is told of more than its own request. */
function countSwitches({ events, shown }: History): number {
  const telling = events.filter(({ outcome, remaining }) => outcome === 'accepted' && remaining !== null);
  let switches = 0;
  let last: Event | null = null;
  for (const event of telling) {
    const follows = last && last.exchange.key !== event.exchange.key && event.from - last.to < WINDOW;
    if (follows && (event.remaining ?? 0) < shown - 1) switches++;
    last = event;
  }
  return switches;
}

/** µs in which a sliding counter gives back no more than two or three slots. */
const SHORT = 1_000_000;
const GIVEN_BACK = 3;

/** Whether an answer right after another, under the same marker, has far more left: cheap to see, and no single budget does that. */
function risesAlone({ events }: History): boolean {
  return events.some((later, index) => {
    const earlier = events[index - 1];
    if (earlier?.outcome !== 'accepted' || later.outcome !== 'accepted' || earlier.reset !== later.reset) return false;
    if (earlier.to >= later.from || later.to - earlier.from > SHORT) return false;
    return (later.remaining ?? 0) > (earlier.remaining ?? later.remaining ?? 0) + GIVEN_BACK;
  });
}
