import { describe, expect, test } from 'vitest';
import { sampled, thorough } from '../../test/sampled.test-support.ts';
import type { RequirementId } from '../catalogue/requirement.ts';
import { judgeTrace } from '../judge/judge-trace.ts';
import { conductOf } from '../reference/conduct.ts';
import { type Network, QUIET_NETWORK } from '../reference/network.ts';
import { VARIANTS } from '../reference/variants.ts';
import { type LoadSpec, SCENARIO_NAMES, type ScenarioName } from './load-spec.ts';
import { SCENARIOS } from './scenario.ts';
import { simulateLoad } from './simulate-load.test-support.ts';
import { sampleSpec } from './spec.test-support.ts';

const LANES = SCENARIO_NAMES.filter((name) => SCENARIOS[name].pacing.pacing === 'lanes');

/**
 * Requirements that fail in a run with the fewest keys, against a target in virtual time, that begins 17 s into a
 * minute, or later by the seed.
 */
function failed(
  scenario: ScenarioName,
  conduct: { variant: string | null; defect: string | null },
  seed: number,
  rest: Partial<LoadSpec> = {},
  network: Network = QUIET_NETWORK,
) {
  const keys = SCENARIOS[scenario].leastKeys;
  const spec = sampleSpec({ scenario, keys, start: Date.UTC(2026, 10, 21, 8, 30, 17) + seed * 7_301, ...rest });
  const { verdicts } = judgeTrace(
    simulateLoad(spec, { conduct: conductOf(conduct.variant, conduct.defect), seed, network }),
  );
  return verdicts.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
}

describe('no scenario fails what conforms', () => {
  // One scenario each, so that all of them and all variants have their turn.
  const CASES = VARIANTS.map(({ name }, index) => [name, LANES[index % LANES.length] ?? 'demo'] as const);

  test.each(sampled(CASES, 16))('%s under %s', (variant, scenario) => {
    expect(failed(scenario, { variant, defect: null }, 1)).toEqual([]);
  });
});

describe('each scenario shows what it is for', () => {
  // Of each scenario, the first is the cheapest, and the cheapest scenario comes first.
  const SHOWN: readonly (readonly (readonly [ScenarioName, string, RequirementId])[])[] = [
    [['quota-write', 'limit-plus-one', 'LIMIT-W']],
    [
      ['demo', 'read-then-write', 'LIMIT-ATOMIC'],
      ['demo', 'remaining-before-counting', 'HDR-4'],
      ['demo', 'two-nodes', 'LIMIT-ATOMIC'],
    ],
    [
      ['quota-read', 'limit-plus-one', 'LIMIT-R'],
      ['quota-read', 'two-nodes', 'LIMIT-ATOMIC'],
    ],
    [
      ['contention', 'cold-create', 'LIMIT-ATOMIC'],
      ['contention', 'check-then-increment', 'LIMIT-ATOMIC'],
    ],
    // Not what these set out to judge: their records prove it.
    [
      ['quota-write', 'value-of-another-policy', 'HDR-3'],
      ['quota-write', 'no-headers-on-429', 'HDR-1'],
      ['quota-read', 'labels-not-limited', 'LIMIT-SCOPE'],
    ],
    [['boundary', 'old-count-new-marker', 'HDR-4']],
    [
      ['kinds', 'writes-cost-reads', 'LIMIT-RW'],
      ['kinds', 'shared-kinds', 'LIMIT-RW'],
    ],
    [['stampede', 'refusal-refunds', 'LIMIT-R']],
  ];

  test.each(sampled(SHOWN, 4).flatMap((cases) => sampled(cases, 3)))('%s: %s', (scenario, defect, requirement) => {
    // With two keys: a burst of one key shows little that somebody else cannot have caused.
    expect(failed(scenario, { variant: null, defect }, 2, { keys: 2 })).toContain(requirement);
  });
});

thorough('a group that is not limited is named, also where each burst asks for one operation', () => {
  const [template] = sampleSpec().reads;
  if (!template) throw new Error('no operation');
  const paths = { service: 'service', categories: 'categories', labels: 'labels', 'labels/search': 'labels' } as const;
  const reads = Object.entries(paths).map(([path, group]) => {
    return { ...template, operation: `get-${path}`, path: `/${path}`, group };
  });
  const conduct = { variant: null, defect: 'labels-not-limited' };
  const network: Network = { uplink: [300, 3000], work: [100, 500], downlink: [200, 3000], lost: 0 };
  expect(failed('contention', conduct, 1, { keys: 4, reads }, network)).toEqual(['LIMIT-SCOPE']);
});
