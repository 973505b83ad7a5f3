import { describe, expect, test } from 'vitest';
import { sampled } from '../../../test/sampled.test-support.ts';
import type { Choices } from '../../deployment/deployment.ts';
import { OPERATOR_IDS } from '../../deployment/operators.ts';
import { behaviourOf } from '../../reference/behaviour.ts';
import type { Conduct } from '../../reference/conduct.ts';
import type { Exchange } from '../../trace/exchange.ts';
import { drawRun, type RunKind } from './draw-run.ts';
import { STRANGERS } from './strangers.ts';
import { virtualRun } from './virtual-run.ts';

const KINDS: readonly (readonly [RunKind, number])[] = [
  ['conforming', 0],
  ['used by others', 0],
  ['used steadily', 0],
  ['bad day', 0],
  ['one deviation', 1],
  ['two deviations', 2],
  ['from outside', 0],
];

describe.each(KINDS)('%s', (kind, deviations) => {
  const drawn = Array.from({ length: 40 }, (_, seed) => drawRun(kind, seed));

  test(`has ${deviations} deviations, and breaks what these break`, () => {
    for (const { deployment, broken, stranger } of drawn) {
      expect(deployment.deviations).toHaveLength(deviations);
      if (deviations === 0) expect(broken).toEqual([]);
      expect(stranger !== null).toBe(kind === 'from outside');
    }
  });

  test('has others on its keys, or loses answers, where it is called so', () => {
    expect(drawn.every(({ others }) => others.length > 0 === kind.startsWith('used '))).toBe(true);
    const lossy = drawn.every(({ options }) => (options.network?.lost ?? 0) > 0 === (kind === 'bad day'));
    expect(lossy).toBe(true);
  });

  test('says in words what it is, and is data that a seed gives again', () => {
    for (const { what } of drawn) expect(what).toMatch(/\d keys?, .* network/);
    expect(JSON.stringify(drawRun(kind, 3).deployment)).toBe(JSON.stringify(drawn[3]?.deployment));
  });

  test('has a profile of 2 to 10 operations of both kinds', () => {
    for (const { options } of drawn) {
      const { operations } = options.profile;
      expect(operations.length).toBeGreaterThanOrEqual(2);
      expect(operations.length).toBeLessThanOrEqual(10);
      expect(new Set(operations.map(({ kind: each }) => each)).size).toBe(2);
    }
  });
});

/** The conduct of a deployment that chose this, and deviates in nothing. */
function conformingConduct(choices: Choices): Conduct {
  return (times) => behaviourOf({ choices, deviations: [] }, times);
}

/** What a client sees of an exchange. */
function seen({ status, headers: { limit, remaining, reset } }: Exchange): string {
  return JSON.stringify([status, limit, remaining, reset]);
}

test.each(sampled(OPERATOR_IDS, 9))(
  'a deployment that deviates by %s does not answer as one that conforms',
  async (operator) => {
    for (let seed = 1; seed <= 20; seed++) {
      const { options, deployment } = drawRun('one deviation', seed, operator);
      const { trace } = await virtualRun({ ...options, keys: Math.max(2, options.keys) });
      const conforming = await virtualRun({
        ...drawRun('one deviation', seed, operator).options,
        keys: Math.max(2, options.keys),
        conduct: conformingConduct(deployment.choices),
      });
      if (trace.exchanges.map(seen).join() !== conforming.trace.exchanges.map(seen).join()) return;
    }
    expect.unreachable('none of twenty draws shows');
  },
);

test.each(sampled(Object.keys(STRANGERS), 9))('%s does not answer as a server that conforms', async (name) => {
  const drawn = Array.from({ length: 60 }, (_, seed) => drawRun('from outside', seed)).find(
    ({ stranger, options }) => stranger === name && options.keys > 1,
  );
  if (!drawn) return expect.unreachable('it was never drawn');
  const { trace } = await virtualRun(drawn.options);
  const plain = await virtualRun({ ...drawn.options, conduct: conformingConduct(drawn.deployment.choices) });
  expect(trace.exchanges.map(seen)).not.toEqual(plain.trace.exchanges.map(seen));
});
