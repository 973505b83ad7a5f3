import { expect, test } from 'vitest';
import { sampled, thorough } from '../../../test/sampled.test-support.ts';
import { drawRun } from '../../accuracy/virtual/draw-run.ts';
import { ANCHORED, GRID, LOG } from '../../accuracy/virtual/situation.test-support.ts';
import { virtualRun } from '../../accuracy/virtual/virtual-run.ts';
import type { Deviation } from '../../deployment/operators.ts';
import { readEvidence } from '../../judge/limits/budgets.ts';
import { behaviourOf } from '../../reference/behaviour.ts';
import type { SearchContext } from '../proposal.ts';
import { conformingWorld, withEvents } from '../world.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { proposeRefusedByOtherKind, proposeSharedKinds } from './shared-kinds.ts';

test('requests under way when the other kind’s history ends may have been decided after what it does not have', async () => {
  // The last writes of a key go down one connection, and are judged by nothing; reads are sent at the same moment.
  const { trace } = await virtualRun(drawRun('one deviation', 277434, 'shared-kinds').options);
  const [found] = foundBy(proposeSharedKinds, 'read', readEvidence(trace));
  expect(found?.deviations).toEqual([{ operator: 'shared-kinds', parameters: { how: 'writes count as reads too' } }]);
});

thorough('a path that is written differently may lead to an operation that also counts as the other kind', async () => {
  const { options, deployment } = drawRun('two deviations', 8910009);
  const shared = deployment.deviations.filter(({ operator }) => operator === 'shared-kinds');
  const { trace } = await virtualRun({
    ...options,
    conduct: (times) => behaviourOf({ ...deployment, deviations: shared }, times),
  });
  expect(foundBy(proposeSharedKinds, 'read', readEvidence(trace))[0]?.deviations).toEqual(shared);
});

test.each([
  ['read', 'writes count as reads too', 'update-category'],
  ['write', 'reads count as writes too', 'get-label'],
] as const)(
  'an operation of the other kind that counts as a %s too is found: %s, but only %s',
  async (kind, how, id) => {
    const shared: Deviation = { operator: 'shared-kinds', parameters: { how, operations: [id] } };
    const [found] = foundBy(proposeSharedKinds, kind, await runUnder([shared]));
    expect(found?.deviations).toEqual([shared]);
  },
);

test.each(sampled([400, 404], 2))(
  'a write that is answered %d and is counted as a read too is found',
  async (status) => {
    const shared: Deviation = {
      operator: 'shared-kinds',
      parameters: { how: 'writes count as reads too', statuses: [status] },
    };
    const found = foundBy(proposeSharedKinds, 'read', await runUnder([shared]));
    expect(found.map(({ deviations }) => deviations)).toContainEqual([shared]);
  },
);

test.each(
  sampled(
    [
      ['read', 'writes count as reads too', GRID],
      ['write', 'reads count as writes too', GRID],
      ['read', 'writes count as reads too', ANCHORED],
      ['write', 'reads count as writes too', LOG],
    ] as const,
    3,
  ),
)('refusals of the other kind that each cost a %s are found: %s, %o', async (kind, how, mechanism) => {
  const shared: Deviation = { operator: 'shared-kinds', parameters: { how, statuses: [429] } };
  const [found] = foundBy(proposeSharedKinds, kind, await runUnder([shared], mechanism));
  expect(found?.deviations).toEqual([shared]);
});

test.each([undefined, ['update-category']])(
  'a limit for reads that also counts writes, and refuses them, explains both kinds: %s',
  async (operations) => {
    const chosen = operations ? { operations } : {};
    const chained: Deviation = {
      operator: 'shared-kinds',
      parameters: { how: 'writes count as reads too', ...chosen, refusing: true },
    };
    const run = await runUnder([chained]);
    for (const [kind, proposer] of [
      ['read', proposeSharedKinds],
      ['write', proposeRefusedByOtherKind],
    ] as const) {
      expect(foundBy(proposer, kind, run).map(({ deviations }) => deviations)).toContainEqual([chained]);
    }
  },
);

test('refusals that only state the limit of the other kind are not refused by it', async () => {
  const { budgets } = await runUnder([]);
  const histories = budgets.map(({ history }) => history);
  const under = (later: number): number => {
    const writes = histories
      .filter(({ kind }) => kind === 'write')
      .map((history) =>
        withEvents(history, (event) => {
          if (event.outcome !== 'refused') return event;
          const headers = { ...event.exchange.headers, limit: ['100'] };
          return { ...event, reset: (event.reset ?? 0) + later, exchange: { ...event.exchange, headers } };
        }),
      );
    const otherKind = histories.filter(({ kind }) => kind === 'read');
    const context = { kind: 'write', otherKind } as unknown as SearchContext;
    return [...proposeRefusedByOtherKind(conformingWorld(writes), context)].length;
  };
  // Both kinds have windows on one grid, so the markers of one kind may be those of the other.
  expect(under(0)).toBeGreaterThan(0);
  expect(under(7_000_000)).toBe(0);
});
