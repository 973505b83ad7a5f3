import type { Options } from 'k6/options';
import { arrivalCount } from './arrivals.ts';
import { LOAD_FORMAT, type LoadSpec, type Stage } from './load-spec.ts';
import { SCENARIOS } from './scenario.ts';

/** k6 gives up on a lane that has not ended by then: the longest lane-paced scenario, with time to spare. */
const LONGEST_LANE = '15m';

/**
 * VUs that are made beforehand for each request a second: answers that take longer than this many seconds need more.
 */
const SECONDS_IN_FLIGHT = 0.25;

/**
 * The k6 options of a load run. Tags are kept to the status, since each further one costs time and memory for every
 * request, and since a verdict comes from the records and never from k6's metrics.
 */
export function scenarioOptions(spec: LoadSpec): Options {
  const { pacing } = SCENARIOS[spec.scenario];
  return {
    scenarios: {
      [spec.scenario]:
        pacing.pacing === 'lanes'
          ? { executor: 'per-vu-iterations', vus: pacing.lanes(spec), iterations: 1, maxDuration: LONGEST_LANE }
          : arrivalExecutor(spec, pacing.stages(spec)),
    },
    systemTags: ['status'],
    discardResponseBodies: true,
    maxRedirects: 0,
    insecureSkipTLSVerify: spec.insecure,
    userAgent: `size-chart-conformance load/${LOAD_FORMAT}`,
    summaryTrendStats: ['min', 'med', 'avg', 'p(95)', 'p(99)', 'p(99.9)', 'max', 'count'],
  };
}

function arrivalExecutor(spec: LoadSpec, stages: readonly Stage[]): NonNullable<Options['scenarios']>[string] {
  const seconds = stages.reduce((sum, stage) => sum + stage.seconds, 0);
  const mean = (arrivalCount(stages) / seconds) * spec.scale;
  const preAllocatedVUs = Math.min(500, Math.max(10, Math.ceil(mean * SECONDS_IN_FLIGHT)));
  const maxVUs = Math.min(2_000, preAllocatedVUs * 8);
  const timeUnit = `${60_000 / spec.scale}ms`;
  const duration = (stage: Stage): string => `${Math.round((stage.seconds * 1000) / spec.scale)}ms`;
  const [first] = stages;
  if (stages.length === 1 && first && first.from === first.to) {
    const shape = { rate: first.from, timeUnit, duration: duration(first), preAllocatedVUs, maxVUs };
    return { executor: 'constant-arrival-rate', ...shape };
  }
  return {
    executor: 'ramping-arrival-rate',
    startRate: first?.from ?? 1,
    timeUnit,
    preAllocatedVUs,
    maxVUs,
    stages: stages.map((stage) => ({ target: stage.to, duration: duration(stage) })),
  };
}
