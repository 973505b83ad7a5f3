import type { RequirementId } from './requirement.ts';

/**
 * What requests are told apart by. The levels of `operation` to `path`, `probe` and `key` come from the profile and the
 * keys.
 */
export type Factor =
  | 'operation'
  | 'group'
  | 'kind'
  | 'method'
  | 'path'
  | 'way'
  | 'state'
  | 'fault'
  | 'probe'
  | 'key'
  | 'company';

/**
 * A requirement of coverage: among the requests with the levels `given`, every combination of levels of any `strength`
 * of these factors occurs (Kuhn, Kacker, Lei, *Introduction to Combinatorial Testing*, 2013).
 */
export interface Demand {
  readonly given: Readonly<Partial<Record<Factor, readonly string[]>>>;
  readonly factors: readonly Factor[];
  readonly strength: number;
}

/** The experiments of the plan: a name, and the file that sends the requests. */
export const EXPERIMENTS = {
  preflight: 'src/drive/experiments/preflight.ts',
  authentication: 'src/drive/experiments/authentication.ts',
  status: 'src/drive/experiments/status.ts',
  budgets: 'src/drive/experiments/roles.ts',
  further: 'src/drive/experiments/further.ts',
  odd: 'src/drive/experiments/odd.ts',
  observed: 'src/drive/experiments/observed.ts',
} as const;

export type ExperimentName = keyof typeof EXPERIMENTS;

/** How a requirement is reached: what is tried for it, where that is sent, and what judges it. */
export interface Coverage {
  readonly demands: readonly Demand[];
  readonly experiments: readonly ExperimentName[];
  /** The file of the judge, or its folder. */
  readonly judge: string;
}

const ANSWERS = ['authentication', 'status', 'further'] as const;
/** What holds for every response holds whatever was asked. */
const EVERY_EXPERIMENT = [...ANSWERS, 'odd', 'budgets'] as const;

/** Both ways of every operation on every key. */
const EVERYWHERE: Demand = { given: { fault: ['none'] }, factors: ['operation', 'way', 'key'], strength: 2 };
/** Forms that every key has: what does not speak of the form itself must not hang on one that a key may lack. */
const ANY_KEY_HAS: readonly string[] = ['added-first', 'added-last', 'percent-encoded', 'joined'];
const EACH_BAD_KEY: readonly Demand[] = [
  { given: { fault: ['bad-key'] }, factors: ['state', 'way', 'group', 'kind'], strength: 3 },
  { given: { fault: ['bad-key'] }, factors: ['state', 'way', 'method', 'key'], strength: 2 },
  { given: { fault: ['bad-key'], state: ANY_KEY_HAS }, factors: ['way', 'method', 'key'], strength: 2 },
  { given: { fault: ['bad-key'], state: [...ANY_KEY_HAS, 'unknown'] }, factors: ['operation', 'way'], strength: 2 },
];
const NO_KEY: Demand = { given: { fault: ['no-key'] }, factors: ['operation'], strength: 1 };
const FORBIDDEN: Demand = { given: { fault: ['permission'] }, factors: ['probe', 'way'], strength: 2 };
/**
 * Each operation in every way in which it can be answered: the headers, and the set of statuses, hold for every one.
 */
const EVERY_ANSWER: readonly Demand[] = [
  { given: {}, factors: ['operation', 'fault'], strength: 2 },
  { given: {}, factors: ['fault', 'way', 'kind', 'group'], strength: 2 },
];
/** A budget spent by one level alone, and one that it shares. */
const carried = (...factors: readonly Factor[]): readonly Demand[] =>
  factors.map((factor) => ({
    given: { company: ['alone', 'shared'] },
    factors: ['company', factor],
    strength: 2,
  }));

function provoked(fault: string): readonly Demand[] {
  return [
    { given: { fault: [fault] }, factors: ['probe', 'way'], strength: 2 },
    { given: { fault: [fault] }, factors: ['fault', 'key'], strength: 2 },
  ];
}

function answers(judge: string, demands: readonly Demand[], experiments: Coverage['experiments'] = ANSWERS): Coverage {
  return { demands, experiments, judge: `src/judge/${judge}.ts` };
}

function limits(...demands: readonly Demand[]): Coverage {
  return { demands, experiments: ['budgets'], judge: 'src/judge/limits' };
}

const observed: Coverage = { demands: [], experiments: ['observed'], judge: 'src/judge/observations.ts' };

/** From each requirement to what is tried for it, the experiments that send that, and its judge. */
export const COVERAGE: Readonly<Record<RequirementId, Coverage>> = {
  'AUTH-1': answers('authentication', [NO_KEY], ['authentication', 'further']),
  'AUTH-2': answers('credentials', [EVERYWHERE], ['authentication', 'further']),
  'AUTH-3': answers('credentials', [EVERYWHERE], ['authentication', 'further']),
  'AUTH-4': answers('authentication', [NO_KEY], ['authentication', 'further']),
  'AUTH-5': answers('authentication', EACH_BAD_KEY, ['authentication', 'further']),
  'AUTH-6': answers('authentication', [FORBIDDEN]),
  'AUTH-7': answers('credentials', [
    EVERYWHERE,
    { given: { fault: ['parameter', 'missing', 'permission'] }, factors: ['probe', 'way'], strength: 2 },
  ]),
  'AUTH-O1': observed,
  'AUTH-O2': observed,
  'AUTH-O3': observed,
  'STATUS-200': answers('status', [EVERYWHERE], ['authentication', 'further']),
  'STATUS-400': answers('status', provoked('parameter'), ['status', 'further']),
  'STATUS-401': answers('status', [NO_KEY, ...EACH_BAD_KEY], ['authentication', 'further']),
  'STATUS-403': answers('status', [FORBIDDEN], ['status', 'further']),
  'STATUS-404': answers('status', provoked('missing'), ['status', 'further']),
  'STATUS-429': answers('over-limit', carried('operation', 'way'), ['budgets']),
  'STATUS-500': answers('status', provoked('internal'), ['status', 'further']),
  'STATUS-SET': answers('status', EVERY_ANSWER, [...ANSWERS, 'odd']),
  'STATUS-NO5XX': answers('status', EVERY_ANSWER, EVERY_EXPERIMENT),
  'HDR-1': answers('headers', EVERY_ANSWER, EVERY_EXPERIMENT),
  'HDR-2': answers('headers', EVERY_ANSWER, [...ANSWERS, 'odd']),
  'HDR-3': answers('header-values', [EVERYWHERE, ...EVERY_ANSWER]),
  'HDR-4': limits(EVERYWHERE),
  'HDR-5': limits(EVERYWHERE),
  'HDR-6': answers('header-values', EVERY_ANSWER, EVERY_EXPERIMENT),
  'HDR-7': limits(EVERYWHERE),
  'HDR-8': limits(EVERYWHERE),
  'LIMIT-R': limits(...carried('operation')),
  'LIMIT-W': limits(...carried('operation')),
  'LIMIT-WINDOW': limits(...carried('kind')),
  'LIMIT-KEY': limits({ given: { company: ['alone', 'shared'] }, factors: ['key', 'kind'], strength: 2 }),
  'LIMIT-SCOPE': limits(...carried('operation', 'group', 'method', 'path')),
  'LIMIT-RW': limits({ given: { company: ['alone', 'shared'] }, factors: ['key', 'kind'], strength: 2 }),
  'LIMIT-HEADER': limits(...carried('way')),
  'LIMIT-EVADE': limits(),
  'LIMIT-ANON': {
    ...limits(NO_KEY, { given: { fault: ['bad-key'] }, factors: ['state', 'kind'], strength: 2 }),
    experiments: ['authentication', 'budgets'],
  },
  'LIMIT-ATOMIC': limits(...carried('kind')),
  'LIMIT-HISTORY': limits(...carried('kind')),
  'LIMIT-O1': { ...limits(), experiments: ['observed', 'budgets'] },
  'VERSION-1': answers('versioning', [EVERYWHERE], ['authentication', 'further']),
  'VERSION-O1': observed,
};

/** The requirements among these that an experiment bears on. */
export function servedBy(experiment: ExperimentName, selection: ReadonlySet<RequirementId>): RequirementId[] {
  return [...selection].filter((id) => COVERAGE[id].experiments.includes(experiment));
}
