import { expect, test } from 'vitest';
import { thorough } from '../../../test/sampled.test-support.ts';
import type { Deviation } from '../../deployment/operators.ts';
import type { Event } from '../../oracle/history.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { PARTITIONS } from './scope.ts';
import { proposeSharedClasses } from './sharing-class.ts';

const CACHED = 'list-categories';

thorough(
  'an operation that a cache answers is found, though the limiter counts those of its requests that fail',
  async () => {
    const scope = {
      kinds: ['read'],
      attribute: 'operation',
      blocks: [],
      exempt: [CACHED],
      others: 'together',
    } as const;
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
  },
);

test('requests whose answers tell of no budget are not said to have one', async () => {
  const scope = { kinds: ['write'], attribute: 'method', blocks: [], exempt: ['DELETE'], others: 'together' } as const;
  const unused = { ...scope, exemptHeaders: 'unused' } as const;
  const { budgets, anonymous } = await runUnder([{ operator: 'finer-scope', parameters: unused }]);
  const isExempt = ({ exchange }: Event): boolean => exchange.method === 'DELETE';
  const untold = budgets.map(({ history }) => {
    const events = history.events.map((event) =>
      isExempt(event) ? { ...event, remaining: null, reset: null } : event,
    );
    return { history: { ...history, events } };
  });
  const run = { budgets: untold, anonymous };
  const found = PARTITIONS.flatMap((proposer) => foundBy(proposer, 'write', run)).flatMap((each) => each.deviations);
  const isByMethod = ({ parameters }: Deviation): boolean =>
    'attribute' in parameters && parameters.attribute === 'method';
  expect(found.filter(isByMethod)).toEqual([{ operator: 'finer-scope', parameters: unused }]);
  expect(foundBy(proposeSharedClasses, 'write', run)).toEqual([]);
});

const isCountedFailure = ({ outcome, remaining }: Event): boolean =>
  outcome === 'failed' && remaining !== null && remaining < 100;

/** What the limiter counted of another operation's failures, as if it had been of the operation that is cached. */
function asIfCached(event: Event): Event {
  return isCountedFailure(event) ? { ...event, exchange: { ...event.exchange, operation: CACHED } } : event;
}
