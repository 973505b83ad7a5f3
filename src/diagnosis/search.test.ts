import { expect } from 'vitest';
import { thorough } from '../../test/sampled.test-support.ts';
import type { Deviation } from '../deployment/operators.ts';
import { type Explained, hold } from './explained.ts';
import { DEVIATION_BITS } from './proposal.ts';
import { runUnder } from './proposers/deviating-world.test-support.ts';
import { PROPOSERS } from './proposers.ts';
import { type Question, searchSingles, withPairs } from './search.ts';
import { inShare } from './share.ts';
import { conformingWorld } from './world.ts';

const ONE_TOO_HIGH: Deviation = {
  operator: 'remaining-header',
  parameters: { kinds: ['read', 'write'], change: { offset: 1 }, only: 'all' },
};

thorough('what is too dear is not held against a run, and nothing that is asked for is lost by that', async () => {
  const { budgets, anonymous } = await runUnder([ONE_TOO_HIGH]);
  const histories = budgets.map(({ history }) => history).filter(({ events }) => events.length > 0);
  const world = conformingWorld(histories.filter(({ kind }) => kind === 'write'));
  const otherKind = histories.filter(({ kind }) => kind === 'read');
  const question: Question = { kind: 'write', otherKind, anonymous, likely: world.shapes, background: null };
  const all: Explained[] = [];
  for (const proposer of PROPOSERS) {
    inShare(1_200_000, question, (own) => {
      for (const proposal of proposer(world, own)) all.push(...[hold(proposal, own) ?? []].flat());
    });
  }
  const least = Math.min(...all.map(({ bits }) => bits));
  const cheap = all.filter(({ bits }) => bits <= least + DEVIATION_BITS);
  const namesOf = (some: readonly Explained[]): ReadonlySet<string> =>
    new Set(some.map(({ deviations }) => JSON.stringify(deviations)));
  const { explanations } = searchSingles(world, question, () => {}, null);
  expect(namesOf(explanations)).toEqual(namesOf(cheap));
  expect(explanations[0]?.bits).toBe(least);
});

thorough('what X-RateLimit-Limit states begins a pair, though late counting hides how much it explains', async () => {
  const lag = { kinds: ['read', 'write'], lag: 30_000, answered: 'when decided' } as const;
  const { budgets, anonymous } = await runUnder([
    { operator: 'late-counting', parameters: lag },
    { operator: 'charged-as-other-kind', parameters: { kind: 'read', operations: ['list-labels'] } },
  ]);
  const histories = budgets.map(({ history }) => history).filter(({ events }) => events.length > 0);
  const world = conformingWorld(histories.filter(({ kind }) => kind === 'read'));
  const otherKind = histories.filter(({ kind }) => kind === 'write');
  const question: Question = { kind: 'read', otherKind, anonymous, likely: world.shapes, background: null };
  const singles = searchSingles(world, question, () => {}, null);
  const [found] = withPairs(question, singles, [], () => {}).explanations;
  expect(found?.deviations.map(({ operator }) => operator)).toEqual(['charged-as-other-kind', 'late-counting']);
});
