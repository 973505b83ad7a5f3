import { expect, test } from 'vitest';
import { EPOCH, exchanges, headers } from '../../judge/trace-builder.test-support.ts';
import { makeHistory } from '../../oracle/make-history.ts';
import { inferMarker } from '../../oracle/marker.ts';
import { foundBy } from './deviating-world.test-support.ts';
import { proposeStaleCounts } from './stale-count.ts';

const UNLIKE = ['get-service', 'get-label'];

/** Reads that leave so many, each a tenth of a second after the one before. */
function told(lefts: readonly number[], operations: readonly string[]) {
  const all = exchanges(
    ...lefts.map((left, at) => ({
      operation: operations[at % operations.length] ?? '',
      sent: at * 100_000,
      answered: at * 100_000 + 2000,
      headers: headers({ remaining: [`${left}`], reset: [`${EPOCH / 1e6 + 60}`] }),
    })),
  );
  const history = makeHistory(all, { key: 'key-1', kind: 'read' }, inferMarker(all, EPOCH), { low: 0, high: 0 });
  return foundBy(proposeStaleCounts, 'read', { budgets: [{ history }], anonymous: [] });
}

test('of the requests that read one count, one is counted, and all leave as many', () => {
  const [found] = told([99, 99, 99, 98, 98, 98, 97, 97, 97, 96], UNLIKE);
  expect(found?.deviations).toEqual([
    { operator: 'lost-updates', parameters: { kinds: ['read'], gap: 200_000, when: 'always' } },
  ]);
});

test.each([
  ['leave as many now and then', [99, 99, 98, 97, 96, 95, 94, 93, 92, 92]],
  ['leave more than before in between', [99, 98, 99, 98, 97, 96, 97, 96, 95, 94, 95, 94]],
])('requests that %s do not read one count', (_, lefts) => {
  expect(told(lefts, UNLIKE)).toEqual([]);
});

test('equal requests may have been answered by a cache', () => {
  expect(told([99, 99, 99, 98, 98, 98, 97, 97, 97, 96], ['get-label'])).toEqual([]);
});
