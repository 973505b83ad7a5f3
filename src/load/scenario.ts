import type { RequirementId } from '../catalogue/requirement.ts';
import type { Kind } from '../trace/exchange.ts';
import type { Pacing, ScenarioName } from './load-spec.ts';
import { boundary } from './scenarios/boundary.ts';
import { contention } from './scenarios/contention.ts';
import { demo } from './scenarios/demo.ts';
import { isolation } from './scenarios/isolation.ts';
import { kinds } from './scenarios/kinds.ts';
import { ramp, sustained } from './scenarios/open.ts';
import { quota } from './scenarios/quota.ts';
import { stampede } from './scenarios/stampede.ts';

/** What a load scenario does, what it needs, and what can be judged from it. */
export interface Scenario {
  readonly purpose: string;
  readonly pacing: Pacing;
  readonly leastKeys: number;
  /** Kinds of operations that it sends. */
  readonly kinds: readonly Kind[];
  /**
   * Length in seconds and requests per second, of the run's clock, where the user names none; null: the scenario fixes
   * them.
   */
  readonly defaults: { readonly seconds: number; readonly rate: number } | null;
  readonly requirements: readonly RequirementId[];
}

const HEADERS: readonly RequirementId[] = ['HDR-2', 'HDR-3', 'HDR-4', 'HDR-5', 'HDR-6', 'HDR-7', 'HDR-8'];
const ALWAYS: readonly RequirementId[] = [...HEADERS, 'STATUS-SET', 'STATUS-NO5XX', 'LIMIT-HISTORY'];
const SPENT: readonly RequirementId[] = [...ALWAYS, 'STATUS-429', 'LIMIT-ATOMIC'];

/** Most scenarios need both kinds, one key or more, and have a length of their own. */
function scenario(about: Partial<Scenario> & Pick<Scenario, 'purpose' | 'pacing' | 'requirements'>): Scenario {
  return { leastKeys: 1, kinds: ['read', 'write'], defaults: null, ...about };
}

/** HDR-3 speaks of reads and of writes: a scenario of one kind cannot show that it holds, only that it does not. */
function quotaScenario(kind: Kind, limit: RequirementId): Scenario {
  return scenario({
    purpose: `each key to its ${kind} limit and past it, in three windows`,
    pacing: quota(kind),
    kinds: [kind],
    requirements: [...SPENT.filter((id) => id !== 'HDR-3'), limit, 'LIMIT-WINDOW'],
  });
}

export const SCENARIOS: Readonly<Record<ScenarioName, Scenario>> = {
  demo: scenario({
    purpose: 'a few seconds: two keys just past both limits, over many connections at once',
    pacing: demo,
    requirements: [...SPENT, 'LIMIT-R', 'LIMIT-W'],
  }),
  'quota-read': quotaScenario('read', 'LIMIT-R'),
  'quota-write': quotaScenario('write', 'LIMIT-W'),
  contention: scenario({
    purpose: 'one key at a time from 120 connections at once: cold, warm, and again when earlier use is forgotten',
    pacing: contention,
    requirements: [...SPENT, 'LIMIT-R', 'LIMIT-W'],
  }),
  boundary: scenario({
    purpose: 'a burst just before the end of a window and one just after it',
    pacing: boundary,
    requirements: [...SPENT, 'LIMIT-R', 'LIMIT-W'],
  }),
  isolation: scenario({
    purpose: 'one key goes far over its limit; the other keys stay under theirs and must not be affected',
    pacing: isolation,
    leastKeys: 2,
    requirements: [...ALWAYS, 'STATUS-429', 'LIMIT-KEY'],
  }),
  kinds: scenario({
    purpose: 'reads and writes of a key past their limits, at once and one by one',
    pacing: kinds,
    requirements: [...SPENT, 'LIMIT-R', 'LIMIT-W', 'LIMIT-RW'],
  }),
  sustained: scenario({
    purpose: 'every key at 95 % of both quotas, open model: no refusal may appear',
    pacing: sustained,
    defaults: { seconds: 180, rate: 1_000 },
    requirements: ALWAYS,
  }),
  stampede: scenario({
    purpose: 'every key at ten times its quota for a minute, and the recovery after it',
    pacing: stampede,
    requirements: [...SPENT, 'LIMIT-R', 'LIMIT-W', 'LIMIT-WINDOW'],
  }),
  soak: scenario({
    purpose: 'like sustained, for the given duration',
    pacing: sustained,
    defaults: { seconds: 1_800, rate: 1_000 },
    requirements: ALWAYS,
  }),
  ramp: scenario({
    purpose: 'a steady rise to the given rate; the knee is the rate at which latency begins to rise',
    pacing: ramp,
    defaults: { seconds: 120, rate: 100 },
    requirements: ALWAYS,
  }),
};
