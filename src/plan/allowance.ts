import type { Operation } from '../profile/profile.ts';
import { takesJson } from '../profile/repetition.ts';
import type { Kind } from '../trace/exchange.ts';
import { ownParameters } from './own-parameters.ts';
import {
  FEW_OTHERS,
  LEAST_REPEATS,
  MOST_OTHERS,
  ODD_REQUESTS,
  ODD_SHRINKS,
  OWN_PARAMETERS,
  type Role,
  SINGLES_A_REPEAT,
} from './roles.ts';

/** Odd requests of a run at most. */
export interface OddAllowance {
  /** Which operations with a JSON body get malformed JSON. */
  readonly malformed: 'all' | 'one of each group and method' | 'one of each kind';
  /** Which of the arbitrary requests that the seed draws are sent. */
  readonly drawn: 'all' | 'one of each oddity and kind';
  /** Requests that give a query parameter of the profile another value, at most. */
  readonly own: number;
  /** Arbitrary requests. */
  readonly requests: number;
  /** How many more requests to shrink one that shows a failure. */
  readonly shrinks: number;
}

/**
 * How much a plan may send of the optional requests, which are reduced if there are more operations than the limit on
 * requests allows.
 */
export interface Allowance {
  /** Single requests that no requirement demands. */
  readonly wished: number;
  /** Single requests, demanded or not. */
  readonly singles: number;
  /** Whether some faulty requests are sent again. */
  readonly again: boolean;
  /** How often single requests without an answer are sent again. */
  readonly repeats: number;
  readonly odd: OddAllowance;
  /** How many other operations are tried on a spent budget. */
  readonly others: number;
  /** Whether the read budget is spent in a third window. */
  readonly thirdWindow: boolean;
  /** Whether many failed requests follow each other at the end. */
  readonly failuresInARow: boolean;
  /** Whether the write budget is spent over one connection, which is only reported, not judged. */
  readonly oneConnection: boolean;
}

/**
 * Maximum single requests of a run, unless more are demanded: few enough for the seconds in which no budget is
 * measured.
 */
const MOST_SINGLE = 480;

export const WHOLE: Allowance = {
  wished: MOST_SINGLE,
  singles: Number.POSITIVE_INFINITY,
  again: true,
  repeats: Number.POSITIVE_INFINITY,
  odd: { malformed: 'all', drawn: 'all', own: OWN_PARAMETERS, requests: ODD_REQUESTS, shrinks: ODD_SHRINKS },
  others: MOST_OTHERS,
  thirdWindow: true,
  failuresInARow: true,
  oneConnection: true,
};

/** Odd requests of a quick check: few enough that it exhausts no budget. */
export const ODD_TO_CHECK: OddAllowance = {
  malformed: 'one of each kind',
  drawn: 'one of each oddity and kind',
  own: 4,
  requests: 12,
  shrinks: 0,
};

/** Maximum requests of a run, for each key: two thousand with four. */
const MOST_A_KEY = 500;
const KEYS_AT_BEST = 4;

/** How many requests a run may send. With fewer than four keys the limit is not lower. */
export function mostRequests(keys: number): number {
  return MOST_A_KEY * Math.max(KEYS_AT_BEST, keys);
}

/** The parts of a plan that determine its cost. */
interface Cost {
  readonly requests: number;
  readonly singles: number;
  readonly repeats: number;
}

/**
 * How often single requests are reduced at most: each time, other requests spend what plain ones would have spent of a
 * budget.
 */
const MOST_ROUNDS = 8;

/**
 * What is left out if a plan would exceed its limit, the least useful first: most repetitions; optional requests;
 * requests that nothing judges; those that are sent again; some of the operations on spent budgets; failures in a row;
 * arbitrary requests; other values of the profile's parameters; a window that others also spend; malformed JSON, except
 * one request for each group and method; and demanded requests last.
 */
const GIVES_WAY: readonly ((allowance: Allowance, excess: number, cost: Cost) => Allowance)[] = [
  (allowance, excess, { repeats }) => ({ ...allowance, repeats: Math.max(LEAST_REPEATS, repeats - excess) }),
  (allowance, excess, { singles }) => ({ ...allowance, wished: Math.max(0, singles - excess) }),
  (allowance) => ({ ...allowance, oneConnection: false }),
  (allowance) => ({ ...allowance, again: false }),
  (allowance) => ({ ...allowance, others: FEW_OTHERS }),
  (allowance) => ({ ...allowance, failuresInARow: false }),
  (allowance, excess) => {
    const shrinks = Math.max(0, ODD_SHRINKS - Math.ceil(excess / 4));
    const requests = Math.max(0, ODD_REQUESTS + ODD_SHRINKS - shrinks - excess);
    return { ...allowance, odd: { ...allowance.odd, requests, shrinks: requests === 0 ? 0 : shrinks } };
  },
  (allowance, excess) => ({
    ...allowance,
    odd: { ...allowance.odd, own: Math.max(0, allowance.odd.own - excess) },
  }),
  (allowance) => ({ ...allowance, thirdWindow: false }),
  (allowance) => ({ ...allowance, odd: { ...allowance.odd, malformed: 'one of each group and method' } }),
  ...Array.from({ length: MOST_ROUNDS }, () => (allowance: Allowance, excess: number, { singles }: Cost): Allowance => {
    return { ...allowance, singles: Math.max(0, singles - excess) };
  }),
];

/**
 * The plan with the largest allowance within the limit.
 *
 * @param planWith makes the plan for an allowance; a smaller allowance gives fewer requests
 */
export function withinBound<Plan>(
  most: number,
  planWith: (allowance: Allowance) => Plan,
  costOf: (plan: Plan) => Cost,
): Plan {
  let allowance = WHOLE;
  let plan = planWith(allowance);
  for (const giveWay of GIVES_WAY) {
    const cost = costOf(plan);
    if (cost.requests <= most) break;
    allowance = giveWay(allowance, cost.requests - most, cost);
    plan = planWith(allowance);
  }
  return plan;
}

/** How often, in a run of so many single requests, one without an answer is sent again. */
export function repeatsWithin({ repeats }: Allowance, singles: number): number {
  return Math.min(repeats, Math.max(LEAST_REPEATS, Math.ceil(singles / SINGLES_A_REPEAT)));
}

/** The operations that get malformed JSON. */
export function malformedOf(operations: readonly Operation[], { malformed }: OddAllowance): readonly Operation[] {
  const taking = operations.filter(takesJson);
  if (malformed === 'all') return taking;
  const isOfKind = malformed === 'one of each kind';
  const place = ({ group, method, kind }: Operation): string => (isOfKind ? kind : `${group} ${method}`);
  return [...new Map(taking.toReversed().map((each) => [place(each), each])).values()].toReversed();
}

/**
 * The maximum number of odd requests: malformed JSON, other values of the profile's parameters, arbitrary ones, and those
 * that shrink one.
 */
export function oddCost(operations: readonly Operation[], allowance: OddAllowance): number {
  const restored = ['PUT', 'PATCH'];
  const varied = ownParameters(operations, allowance.own).map(({ operation }) => operation);
  return [...malformedOf(operations, allowance), ...varied].reduce(
    (sum, { method, prepare }) => sum + 1 + prepare.length + (restored.includes(method) ? 1 : 0),
    allowance.requests + allowance.shrinks,
  );
}

/** What to do about what is left out, if no requirement asks for it, and if some do. */
const NOTHING = 'Nothing is to be done: no requirement asks for it.';
const FEWER = 'Name fewer operations in the profile for all of them.';

/** What the limit leaves out of a plan: its name, words for it, and what to do. */
export function leftOutBy(
  { odd, oneConnection, failuresInARow, thirdWindow, singles }: Allowance,
  tracks: readonly { readonly role: Role; readonly kind: Kind }[],
  operations: readonly Operation[],
): readonly { readonly id: string; readonly what: string; readonly advice: string }[] {
  const isSpent = (kind: Kind): boolean => tracks.some((each) => each.role === 'silent' && each.kind === kind);
  const arbitrary = ODD_REQUESTS - odd.requests;
  const values = ownParameters(operations, OWN_PARAMETERS).length - ownParameters(operations, odd.own).length;
  const unbroken = operations.filter(takesJson).length - malformedOf(operations, odd).length;
  return [
    {
      id: 'one-connection',
      what: 'a burst of writes over one connection',
      isLeftOut: !oneConnection && isSpent('write'),
    },
    { id: 'failures-in-a-row', what: 'many failed requests in a row', isLeftOut: !failuresInARow },
    { id: 'arbitrary', what: `${arbitrary} of ${ODD_REQUESTS} arbitrary requests`, isLeftOut: arbitrary > 0 },
    { id: 'own-parameters', what: `${values} other values of query parameters`, isLeftOut: values > 0 },
    { id: 'third-window', what: 'a third window of reads', isLeftOut: !thirdWindow && isSpent('read') },
    { id: 'malformed', what: `malformed JSON to ${unbroken} operations`, isLeftOut: unbroken > 0 },
    { id: 'demanded', what: 'all single requests that the requirements ask for', isLeftOut: Number.isFinite(singles) },
  ]
    .filter(({ isLeftOut }) => isLeftOut)
    .map(({ id, what }) => ({ id, what, advice: id === 'demanded' ? FEWER : NOTHING }));
}
