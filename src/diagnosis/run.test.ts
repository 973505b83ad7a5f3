import { describe, expect, test } from 'vitest';
import { thorough } from '../../test/sampled.test-support.ts';
import { SECOND } from '../deployment/deployment.ts';
import type { Deviation } from '../deployment/operators.ts';
import { readEvidence } from '../judge/limits/budgets.ts';
import { cutAt } from '../judge/shown.ts';
import { behaviourOf } from '../reference/behaviour.ts';
import { conductOf } from '../reference/conduct.ts';
import { fullPlan, planHistory } from '../reference/plan-histories.test-support.ts';
import { traceOf } from '../reference/simulated-trace.test-support.ts';
import { variantNamed } from '../reference/variants.ts';
import type { Kind } from '../trace/exchange.ts';
import type { KindRuling } from './kind-ruling.ts';
import { runUnder } from './proposers/deviating-world.test-support.ts';
import { PROPOSERS } from './proposers.ts';
import { diagnoseRun } from './run.ts';

const EPOCH = Date.UTC(2026, 10, 21, 8, 30, 17) * 1000;

function rulings(variant: string | null, defect: string | null): readonly KindRuling[] {
  const exchanges = planHistory(fullPlan(), { conduct: conductOf(variant, defect), seed: 2, epoch: EPOCH });
  const { budgets, anonymous } = readEvidence(traceOf(exchanges, EPOCH, 2));
  const shares: number[] = [];
  const { kinds } = diagnoseRun(
    budgets.map(({ history }) => history),
    anonymous,
    { onShare: (share) => shares.push(share) },
  );
  expect(shares.every((share, index) => share >= (shares[index - 1] ?? 0))).toBe(true);
  expect(shares.at(-1)).toBe(1);
  return kinds;
}

describe('one deployment explains the run of one that deviates, by the operator that it has', () => {
  const DEVIATING = [
    ['token-bucket', 'other-mechanism', 'LIMIT-WINDOW'],
    ['get-counted-twice', 'class-weight', 'LIMIT-R'],
    ['per-group', 'finer-scope', 'LIMIT-SCOPE'],
    ['per-header', 'finer-scope', 'LIMIT-HEADER'],
    ['limit-minus-one', 'other-limit', 'LIMIT-R'],
    ['limit-plus-one', 'other-limit', 'LIMIT-R'],
    ['one-for-all', 'shared-keys', 'LIMIT-KEY'],
    ['shared-kinds', 'shared-kinds', 'LIMIT-RW'],
  ] as const;

  thorough.each(DEVIATING)('%s: %s', (defect, operator, requirement) => {
    const kinds = rulings(null, defect).filter(({ outcome }) => outcome !== 'conforms');
    expect(kinds.map(({ outcome }) => outcome)).toContain('deviates');
    const named = kinds.filter(({ outcome }) => outcome === 'deviates');
    for (const { minimal } of named) expect(minimal[0]?.deviations.map((each) => each.operator)).toEqual([operator]);
    expect(named.some(({ broken }) => broken.has(requirement))).toBe(true);
  });
});

test('reads and writes may have a mechanism each, and all keys of a kind have one', () => {
  for (const variant of ['grid-clock', 'anchored', 'log', 'counter']) {
    const kinds = rulings(variant, null);
    expect(kinds.map(({ outcome }) => outcome)).toEqual(['conforms', 'conforms']);
    for (const { diagnosis } of kinds) {
      const explained = diagnosis.conforming?.fit.explanations ?? [];
      expect(explained.length).toBe(diagnosis.world.histories.length);
      expect(new Set(explained.map((each) => each.variant.mechanism)).size).toBe(1);
    }
  }
});

thorough('the keys whose budget no mechanism explains by itself are known', async () => {
  const planOfOne: Deviation = {
    operator: 'other-limit',
    parameters: { kind: 'read', limit: 60, limitHeader: 100, remainingFrom: 100, from: 'always' },
    keys: ['key-2'],
  };
  const { budgets, anonymous } = await runUnder([planOfOne]);
  const { kinds } = diagnoseRun(
    budgets.map(({ history }) => history),
    anonymous,
  );
  expect(kinds.map(({ diagnosis }) => diagnosis.unexplained)).toEqual([['key-2'], []]);
});

thorough('while a run lasts, no pairs are looked for: that takes long, and delays what the next moment shows', () => {
  const { options } = variantNamed('grid-clock');
  const limit = (kind: 'read' | 'write', most: number, told: number): Deviation => ({
    operator: 'other-limit',
    parameters: { kind, limit: most, limitHeader: told, remainingFrom: told, from: 'always' },
  });
  const kinds: readonly Kind[] = ['read', 'write'];
  const deviations: readonly Deviation[] = [
    { operator: 'window-length', parameters: { kinds, length: SECOND, told: SECOND, from: 'always' } },
    limit('read', 7, 100),
    limit('write', 4, 30),
    { operator: 'class-weight', parameters: { kinds, attribute: 'status', classes: ['404'], weight: 3 } },
  ];
  const exchanges = planHistory(fullPlan(), {
    conduct: (times) => behaviourOf({ choices: options, deviations }, times),
    ...{ seed: 2, epoch: EPOCH },
  });
  const { budgets, anonymous } = readEvidence(cutAt(traceOf(exchanges, EPOCH, 2), 9e6));
  const shares: number[] = [];
  const found = diagnoseRun(
    budgets.map(({ history }) => history),
    anonymous,
    { named: false, onShare: (share) => shares.push(share) },
  );
  expect(found.kinds.map(({ outcome }) => outcome)).toEqual(['open', 'open']);
  // All single deviations have been tried.
  expect(shares.length).toBeGreaterThan(2 * PROPOSERS.length);
  expect(shares.at(-2)).toBeLessThan(1);
});

thorough('counts that are lost once are named, and during a run nothing is settled by them', async () => {
  const restart: Deviation = { operator: 'counters-lost', parameters: { kinds: ['read'], at: 68 * SECOND } };
  const { budgets, anonymous } = await runUnder([restart]);
  const { kinds } = diagnoseRun(
    budgets.map(({ history }) => history),
    anonymous,
  );
  const [reads] = kinds;
  expect(reads?.minimal[0]?.deviations.map(({ operator }) => operator)).toEqual(['counters-lost']);
  expect(reads?.final).toBe(false);
});
