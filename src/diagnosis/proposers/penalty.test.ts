import { expect, test } from 'vitest';
import { thorough } from '../../../test/sampled.test-support.ts';
import type { Mechanism } from '../../deployment/deployment.ts';
import type { Kind } from '../../trace/exchange.ts';
import { conformingWorld } from '../world.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { proposePenalties } from './penalty.ts';
import { proposeRefusedBeside } from './refused-beside.ts';

const BOTH = ['read', 'write'] as const;
const SECOND = 1_000_000;
const ANCHORED: Mechanism = { name: 'anchored', wholeSecond: false };
const penalty = (kinds: readonly Kind[], memory: number) =>
  ({ operator: 'refused-beside', parameters: { kinds, of: 'the same budget', memory } }) as const;

thorough.each<[number, Mechanism]>([
  [30 * SECOND, ANCHORED],
  [30 * SECOND, { name: 'log', logRefused: false, reset: 'oldest' }],
  [60 * SECOND, { name: 'grid', phase: 'process' }],
])('a penalty of %i µs beside windows, which go on meanwhile, is found under %j', async (memory, mechanism) => {
  const run = await runUnder([penalty(BOTH, memory)], mechanism);
  for (const kind of BOTH) {
    const [found] = foundBy(proposePenalties, kind, run);
    expect(found?.deviations).toEqual([penalty([kind], memory)]);
    // However many refusals come first, none of the other kind explains them.
    expect(foundBy(proposeRefusedBeside, kind, run)).toEqual([]);
  }
});

test('a penalty that only the fifth refusal begins is found, in whatever windows these are', async () => {
  const banned = { ...penalty(BOTH, 45 * SECOND).parameters, nth: 5 } as const;
  const run = await runUnder([{ operator: 'refused-beside', parameters: banned }], ANCHORED);
  for (const kind of BOTH) {
    const found = foundBy(proposePenalties, kind, run).flatMap(({ deviations }) => deviations);
    expect(found).toContainEqual({ operator: 'refused-beside', parameters: { ...banned, kinds: [kind] } });
  }
});

thorough('a penalty that a slow refusal may have begun anew is found', async () => {
  const run = await runUnder([penalty(BOTH, 30 * SECOND)], ANCHORED);
  // Each answer comes half a second later, so which refusal was the first after a penalty is not known.
  const slow = run.budgets.map(({ history }) => ({
    history: { ...history, events: history.events.map((each) => ({ ...each, to: each.to + SECOND / 2 })) },
  }));
  const found = foundBy(proposePenalties, 'read', { ...run, budgets: slow });
  expect(found.flatMap(({ deviations }) => deviations)).toContainEqual(penalty(['read'], 30 * SECOND));
});

thorough('a penalty is found where each refusal tells its end, and not that of the window', async () => {
  const memory = 30 * SECOND;
  const run = await runUnder([penalty(BOTH, memory)], ANCHORED);
  const budgets = run.budgets.map(({ history }) => {
    let until = Number.NEGATIVE_INFINITY;
    const events = history.events.map((each) => {
      if (each.outcome !== 'refused') return each;
      if (each.from > until) until = (each.from + each.to) / 2 + memory;
      return { ...each, reset: until + history.offset.low };
    });
    return { history: { ...history, events } };
  });
  const [found] = foundBy(proposePenalties, 'write', { ...run, budgets });
  const [untold] = foundBy(proposePenalties, 'write', run);
  expect(found?.deviations).toEqual([penalty(['write'], memory)]);
  expect(found?.bits ?? 0).toBeLessThan(untold?.bits ?? 0);
});

test('where a request is let through soon after a refusal, there is no penalty', async () => {
  const { budgets } = await runUnder([]);
  const world = conformingWorld(budgets.map(({ history }) => history).filter(({ kind }) => kind === 'read'));
  const context = { kind: 'read' } as Parameters<typeof proposePenalties>[1];
  const lengths = [...proposePenalties(world, context)].map(({ deviations: [each] }) => each?.parameters);
  expect(lengths).not.toContainEqual(expect.objectContaining({ memory: 120 * SECOND }));
});
