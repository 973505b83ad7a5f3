import { expect, test } from 'vitest';
import type { Event } from '../../oracle/history.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { PARTITIONS } from './scope.ts';

const CACHED = 'list-categories';

test('an operation that a cache answers is found, though the limiter counts those of its requests that fail', async () => {
  const scope = { kinds: ['read'], attribute: 'operation', blocks: [], exempt: [CACHED], others: 'together' } as const;
  const { budgets, anonymous } = await runUnder([
    { operator: 'finer-scope', parameters: { ...scope, exemptHeaders: 'unused' } },
  ]);
  const throughTheCache = budgets.map(({ history }) => ({
    history: { ...history, events: history.events.map(asIfCached) },
  }));
  expect(budgets.some(({ history }) => history.events.some(isCountedFailure))).toBe(true);
  const found = PARTITIONS.flatMap((proposer) => foundBy(proposer, 'read', { budgets: throughTheCache, anonymous }));
  expect(found.map(({ deviations }) => deviations)).toContainEqual([
    { operator: 'finer-scope', parameters: { ...scope, exemptHeaders: 'unused' } },
  ]);
});

const isCountedFailure = ({ outcome, remaining }: Event): boolean =>
  outcome === 'failed' && remaining !== null && remaining < 100;

/** What the limiter counted of another operation's failures, as if it had been of the operation that is cached. */
function asIfCached(event: Event): Event {
  return isCountedFailure(event) ? { ...event, exchange: { ...event.exchange, operation: CACHED } } : event;
}
