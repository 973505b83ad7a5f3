import { expect, test } from 'vitest';
import { thorough } from '../../../test/sampled.test-support.ts';
import type { Deviation } from '../../deployment/operators.ts';
import { EPOCH, exchanges, headers } from '../../judge/trace-builder.test-support.ts';
import { makeHistory } from '../../oracle/make-history.ts';
import { inferMarker } from '../../oracle/marker.ts';
import type { Exchange, Kind } from '../../trace/exchange.ts';
import { diagnoseRun } from '../run.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { proposeNominalHeaders, proposeOtherPolicies, proposeOverwritten } from './other-policy.ts';

const parameters = { kinds: ['read', 'write'], only: { statuses: [200] } } as const;
const limit: Deviation = { operator: 'limit-header', parameters: { ...parameters, change: { constant: 1000 } } };
const remaining: Deviation = { operator: 'remaining-header', parameters: { ...parameters, change: { offset: 900 } } };
const marker: Deviation = { operator: 'marker-header', parameters: { ...parameters, change: { offset: 840_000_000 } } };

thorough.each([
  ['remaining-header', [remaining]],
  ['marker-header', [marker]],
  ['remaining-header,marker-header', [remaining, marker]],
])(
  'answers with the headers of another policy are known by the limit that they tell: %s',
  async (found, deviations) => {
    const run = await runUnder([limit, ...deviations], { name: 'anchored', wholeSecond: false });
    for (const kind of ['read', 'write'] as const) {
      const [explained] = foundBy(proposeOtherPolicies, kind, run);
      expect(explained?.deviations.map(({ operator }) => operator).join()).toBe(found);
    }
  },
);

test('an error handler that repeats headers of other budgets is known by the limits of some of its answers, to either kind', () => {
  const sent = (kind: Kind, ...answers: readonly (readonly [number, number, number])[]): Exchange[] =>
    exchanges(
      ...answers.map(([status, limit, left], at) => ({
        ...{ kind, operation: kind === 'read' ? 'get-service' : 'put-label', sent: at * 10_000, status },
        fault: status === 200 ? ('none' as const) : status === 404 ? ('missing' as const) : ('parameter' as const),
        headers: headers({ limit: [String(limit)], remaining: [String(left)] }),
      })),
    );
  const reads = sent(
    'read',
    [200, 100, 99],
    [404, 30, 12],
    [200, 100, 98],
    [400, 100, 7],
    [404, 100, 98],
    [200, 100, 97],
  );
  const writes = sent('write', [200, 30, 29], [400, 100, 98], [200, 30, 28], [404, 30, 3], [200, 30, 27]);
  const offset = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
  const budgets = [reads, writes].map((own) => ({
    history: makeHistory(
      own,
      { key: 'key-1', kind: own === reads ? 'read' : 'write' },
      inferMarker(own, EPOCH),
      offset,
    ),
  }));
  for (const kind of ['read', 'write'] as const) {
    const [found] = foundBy(proposeOtherPolicies, kind, { budgets, anonymous: [] });
    expect(found?.deviations).toMatchObject([
      { operator: 'remaining-header', parameters: { only: { statuses: [400, 404] } } },
    ]);
  }
});

test('where the limit that is told is the one that applies, no header is that of another policy', async () => {
  expect(foundBy(proposeOtherPolicies, 'read', await runUnder([remaining, marker]))).toEqual([]);
});

thorough(
  'failed requests that are answered with the headers of an unused budget are known by what they all say is left',
  async () => {
    const kinds = ['read', 'write'] as const;
    const only = { statuses: [400, 404] };
    const run = await runUnder([
      ...kinds.map((kind): Deviation => {
        const change = { constant: kind === 'read' ? 100 : 30 };
        return { operator: 'remaining-header', parameters: { kinds: [kind], change, only } };
      }),
      { operator: 'marker-header', parameters: { kinds, change: { ahead: 60_000_000 }, only } },
    ]);
    for (const kind of kinds) {
      const [explained] = foundBy(proposeNominalHeaders, kind, run);
      expect(explained?.deviations).toMatchObject([
        { operator: 'remaining-header', parameters: { change: { constant: kind === 'read' ? 100 : 30 }, only } },
        { operator: 'marker-header', parameters: { only } },
      ]);
    }
    expect(foundBy(proposeNominalHeaders, 'read', await runUnder([remaining, marker]))).toEqual([]);
  },
);

const OF_ANOTHER_REQUEST: Deviation = {
  operator: 'remaining-header',
  parameters: { kinds: ['read', 'write'], change: 'another request', only: 'all' },
};

test('headers of another request are recognised by the limit of the other kind', async () => {
  const run = await runUnder([OF_ANOTHER_REQUEST], { name: 'anchored', wholeSecond: false });
  for (const kind of ['read', 'write'] as const) {
    const [found] = foundBy(proposeOverwritten, kind, run);
    expect(found?.deviations).toMatchObject([{ parameters: { change: 'another request' } }]);
  }
});

thorough('headers of another request are told as such, and as nothing else', async () => {
  const { budgets, anonymous } = await runUnder([OF_ANOTHER_REQUEST], { name: 'anchored', wholeSecond: false });
  const { kinds } = diagnoseRun(
    budgets.map(({ history }) => history),
    anonymous,
  );
  for (const { minimal } of kinds)
    expect(minimal.map(({ deviations }) => deviations)).toMatchObject([
      [{ parameters: { change: 'another request' } }],
    ]);
});

thorough('no headers are those of another request where all state the same limit', async () => {
  const change = 'limit of the other kind';
  const parameters = { kinds: ['write'], change, only: 'all' } as const;
  const run = await runUnder([{ operator: 'limit-header', parameters }], { name: 'anchored', wholeSecond: false });
  expect(foundBy(proposeOverwritten, 'write', run)).toEqual([]);
  expect(foundBy(proposeOverwritten, 'read', run)).toEqual([]);
});
