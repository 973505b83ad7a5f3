import { expect, test } from 'vitest';
import { wholeProfile } from '../../accuracy/virtual/draw-profile.ts';
import { breaks, type Deviation, sentence } from '../../deployment/operators.ts';
import { EPOCH, exchanges, headers } from '../../judge/trace-builder.test-support.ts';
import { makeHistory } from '../../oracle/make-history.ts';
import { inferMarker } from '../../oracle/marker.ts';
import type { Exchange } from '../../trace/exchange.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { proposeRepeated } from './repeated.ts';

const cache: Deviation = {
  operator: 'finer-scope',
  parameters: {
    ...{ kinds: ['read'], attribute: 'operation', blocks: [], exempt: ['list-labels'] },
    ...{ others: 'together', exemptHeaders: 'repeated' },
  },
};
const race: Deviation = {
  operator: 'lost-updates',
  parameters: { kinds: ['read', 'write'], gap: 4000, when: 'always' },
};

test('an operation whose answers repeat earlier ones is found', async () => {
  const run = await runUnder([cache]);
  expect(foundBy(proposeRepeated, 'read', run)[0]?.deviations).toEqual([cache]);
  expect(foundBy(proposeRepeated, 'write', run)).toEqual([]);
});

test('a page that is kept for things that do not exist repeats its headers alone', async () => {
  const kept: Deviation = {
    operator: 'remaining-header',
    parameters: { kinds: ['read'], change: 'repeated', only: { statuses: [404] } },
  };
  const run = await runUnder([kept]);
  expect(foundBy(proposeRepeated, 'read', run)[0]?.deviations).toEqual([kept]);
  expect(foundBy(proposeRepeated, 'write', run)).toEqual([]);
});

test('requests under way together that lose each other’s count repeat no answer', async () => {
  const run = await runUnder([race]);
  for (const kind of ['read', 'write'] as const) expect(foundBy(proposeRepeated, kind, run)).toEqual([]);
});

test('a cache of unsafe requests is dearer', async () => {
  const { budgets, anonymous } = await runUnder([cache]);
  const byPut = budgets.map(({ history }) => ({
    history: {
      ...history,
      events: history.events.map((event) => ({ ...event, exchange: { ...event.exchange, method: 'PUT' } })),
    },
  }));
  const [safe] = foundBy(proposeRepeated, 'read', { budgets, anonymous });
  const [unsafe] = foundBy(proposeRepeated, 'read', { budgets: byPut, anonymous });
  expect(unsafe?.deviations).toEqual(safe?.deviations);
  expect(unsafe?.bits).toBeGreaterThan(safe?.bits ?? 0);
});

test('if all reads are answered from a cache, their limit does not hold', async () => {
  const exempt = wholeProfile().operations.flatMap(({ id, kind }) => (kind === 'read' ? [id] : []));
  const run = await runUnder([{ ...cache, parameters: { ...cache.parameters, exempt } } as Deviation]);
  const [found] = foundBy(proposeRepeated, 'read', run);
  expect(found?.deviations.map(sentence)).toEqual([
    'Answers to reads are repeated from a cache in front of the limiter, which does not count these requests.',
  ]);
  expect(found?.deviations.map(breaks)).toEqual([['LIMIT-R', 'HDR-4']]);
});

test('a cache that all keys share repeats to one key what another one was told', () => {
  /** Sent so many ms after the start, with what the answer says is left and in which second the window ends. */
  const sent = (key: string, ...answers: readonly (readonly [number, string, number, number])[]): Exchange[] =>
    exchanges(
      ...answers.map(([at, operation, left, end]) => ({
        ...{ key, operation, target: `/${operation}`, sent: at * 1000 },
        headers: headers({ remaining: [String(left)], reset: [String(EPOCH / 1e6 + end)] }),
      })),
    );
  const budgets = [
    sent('key-1', [0, 'get-service', 99, 60], [3000, 'list-categories', 98, 60]),
    sent(
      'key-2',
      [1000, 'list-categories', 99, 61],
      [1100, 'get-service', 99, 60],
      [1200, 'get-service', 99, 60],
      [1300, 'get-service', 99, 60],
      [1400, 'list-categories', 95, 61],
    ),
  ].map((own) => {
    const [{ key }] = own as [Exchange];
    const offset = { low: 0, high: 0 };
    return { history: makeHistory(own, { key: key ?? '', kind: 'read' }, inferMarker(own, EPOCH), offset) };
  });
  const [found] = foundBy(proposeRepeated, 'read', { budgets, anonymous: [] });
  expect(found?.deviations.map(breaks)).toEqual([['HDR-4']]);
});

test('a cache that distinguishes how a key is sent repeats each answer to its own way', () => {
  const [x, b] = ['x-api-key', 'bearer'] as const;
  // An answer is kept for two seconds. One way is asked anew while the answer to the other is kept.
  const asked = [
    [0, x, 0],
    [500, x, 0],
    [1000, b, 1],
    [1500, x, 0],
    [1900, b, 1],
  ] as const;
  const own = exchanges(
    ...[0, 1, 2].flatMap((round) =>
      asked.map(([at, credential, taken]) => ({
        ...{ key: 'key-1', operation: 'list-labels', target: '/labels', credential },
        sent: (round * 4000 + at) * 1000,
        headers: headers({ remaining: [String(99 - 2 * round - taken)], reset: [String(EPOCH / 1e6 + 60)] }),
      })),
    ),
    { key: 'key-1', operation: 'get-label', target: '/labels/1', sent: 12e6, headers: headers({ remaining: ['93'] }) },
  );
  const history = makeHistory(own, { key: 'key-1', kind: 'read' }, inferMarker(own, EPOCH), { low: 0, high: 0 });
  const [found] = foundBy(proposeRepeated, 'read', { budgets: [{ history }], anonymous: [] });
  expect(found?.deviations).toEqual([cache]);
});
