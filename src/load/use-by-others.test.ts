import { describe, expect, test } from 'vitest';
import { sampled, thorough } from '../../test/sampled.test-support.ts';
import type { OtherUse } from '../accuracy/virtual/virtual-run.ts';
import type { Deviation } from '../deployment/operators.ts';
import { judgeTrace } from '../judge/judge-trace.ts';
import { behaviourOf } from '../reference/behaviour.ts';
import type { Network } from '../reference/network.ts';
import { variantNamed } from '../reference/variants.ts';
import type { LoadSpec } from './load-spec.ts';
import { simulateLoad } from './simulate-load.test-support.ts';
import { sampleSpec } from './spec.test-support.ts';

const NEAR: Network = { uplink: [300, 3_000], work: [100, 500], downlink: [200, 3_000], lost: 0 };
const SECOND = 1_000_000;

interface Run extends Pick<LoadSpec, 'scenario' | 'keys'> {
  readonly variant?: string;
  readonly deviations?: readonly Deviation[];
  readonly others?: readonly OtherUse[];
  readonly seed?: number;
}

function failed({ scenario, keys, variant = 'grid-clock', deviations = [], others = [], seed = 1 }: Run) {
  const spec = sampleSpec({ scenario, keys, start: Date.UTC(2026, 10, 21, 8, 30, 3) + seed * 7_301 });
  const deployment = { choices: variantNamed(variant).options, deviations };
  const conduct = (times: Parameters<typeof behaviourOf>[1]) => behaviourOf(deployment, times);
  const { verdicts } = judgeTrace(simulateLoad(spec, { conduct, seed, network: NEAR }, others));
  return verdicts.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
}

const use = (key: number, kind: OtherUse['kind'], requests: number, second: number): OtherUse => {
  return { key: `key-${key}`, kind, requests, at: second * SECOND, every: 5_000 };
};

describe('use by others fails nothing that conforms', () => {
  const CASES: readonly Run[] = [
    // Before the run.
    { scenario: 'quota-read', keys: 2, variant: 'counter', others: [1, 2].map((key) => use(key, 'read', 100, -50)) },
    { scenario: 'quota-read', keys: 2, variant: 'log', others: [1, 2].map((key) => use(key, 'read', 50, -20)) },
    { scenario: 'contention', keys: 2, variant: 'counter', others: [1, 2].map((key) => use(key, 'read', 100, -50)) },
    // What is missing from a burst may look like requests that cost two, or like what the other kind used.
    { scenario: 'boundary', keys: 4, others: [7, 50, 50, 7].map((requests, at) => use(at + 1, 'read', requests, 1)) },
    { scenario: 'boundary', keys: 2, others: [use(1, 'read', 20, 25), use(2, 'write', 20, 25)] },
    // Of what all keys were used alike, a sliding counter shows less the later they are asked.
    {
      scenario: 'contention',
      keys: 4,
      variant: 'counter',
      others: [1, 2, 3, 4].map((key) => use(key, 'read', 100, 72)),
    },
    {
      scenario: 'contention',
      keys: 4,
      variant: 'counter',
      others: [1, 2, 3, 4].map((key) => use(key, 'write', 100, 95)),
    },
  ];

  test.each(sampled(CASES, 4))('$scenario against $variant with $keys keys: $others.0', (run) => {
    expect(sampled([1, 2], 2).flatMap((seed) => failed({ ...run, seed }))).toEqual([]);
  });
});

describe('use before the run, or by others, excuses nothing that lasts', () => {
  const half: Deviation = {
    operator: 'other-mechanism',
    parameters: { kinds: ['read', 'write'], name: 'token bucket', burst: 0.5, marker: 'all' },
  };
  test.each(sampled(['quota-write', 'quota-read', 'contention'] as const, 3))(
    '%s: a token bucket of half the limit',
    (scenario) => {
      expect(failed({ scenario, keys: 2, deviations: [half] })).toEqual(['LIMIT-WINDOW', 'LIMIT-HISTORY']);
    },
  );

  const tens: Deviation = {
    operator: 'remaining-header',
    parameters: { kinds: ['read', 'write'], change: { roundedDownTo: 10 }, only: 'all' },
  };
  thorough('quota-read: a Remaining that is rounded to tens', () => {
    expect(failed({ scenario: 'quota-read', keys: 2, deviations: [tens] })).toEqual(['HDR-4']);
  });

  thorough.each(['kinds', 'contention'] as const)('%s: a limit of one more than a setting would have', (scenario) => {
    const oneMore = (kind: 'read' | 'write', limit: number): Deviation => ({
      operator: 'other-limit',
      parameters: { kind, limit: limit + 1, limitHeader: limit, remainingFrom: limit, from: 'always' },
    });
    const deviations = [oneMore('read', 100), oneMore('write', 30)];
    expect(failed({ scenario, keys: 2, deviations })).toEqual(['LIMIT-R', 'LIMIT-W']);
  });
});
