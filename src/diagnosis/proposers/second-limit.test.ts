import { expect, test } from 'vitest';
import { sampled, thorough } from '../../../test/sampled.test-support.ts';
import { HOUR } from '../../deployment/deployment.ts';
import { breaks, type Deviation } from '../../deployment/operators.ts';
import { EPOCH, exchanges, headers, type Sketch } from '../../judge/trace-builder.test-support.ts';
import { makeHistory } from '../../oracle/make-history.ts';
import { inferMarker } from '../../oracle/marker.ts';
import type { Kind } from '../../trace/exchange.ts';
import type { Proposer } from '../proposal.ts';
import { diagnoseRun } from '../run.ts';
import { conformingWorld, withEvents } from '../world.ts';
import { contextOf } from './context.test-support.ts';
import { foundBy, runOfDraw, runUnder, twoClocks } from './deviating-world.test-support.ts';
import { proposeSecondLimits, proposeSharedLimits, proposeToldSharedLimits } from './second-limit.ts';

const SECOND = 1_000_000;

test.each(
  sampled(
    [
      ['of which no header tells', {}],
      ['of which the answers tell that it refuses', { told: { counted: 'besides', by: 'refusals' } }],
    ] as const,
    4,
  ),
)('a limit of some in a second besides is found: one %s', async (_, told) => {
  const deviation = (kind: 'read' | 'write', limit: number): Deviation => ({
    operator: 'second-limit',
    parameters: { kinds: [kind], only: null, limit, window: SECOND, ...told },
  });
  const run = await runUnder([deviation('read', 30), deviation('write', 15)], { name: 'anchored', wholeSecond: false });
  for (const [kind, limit] of [
    ['read', 30],
    ['write', 15],
  ] as const) {
    expect(foundBy(proposeSecondLimits, kind, run)[0]?.deviations).toMatchObject([
      { parameters: { only: null, limit, window: SECOND, ...told } },
    ]);
  }
});

const either: Proposer = function* (world, context) {
  yield* proposeSecondLimits(world, context);
  yield* proposeSharedLimits(world, context);
};

const anchored = { name: 'anchored', wholeSecond: false } as const;

test.each(
  sampled(
    [
      [{ kinds: ['read'], limit: 150, window: 60 * SECOND, across: 'keys' }, ['LIMIT-KEY', 'HDR-5']],
      [{ kinds: ['read', 'write'], limit: 20, window: SECOND, across: 'kinds' }, ['LIMIT-RW', 'HDR-5']],
      [
        { kinds: ['read', 'write'], limit: 60, window: 10 * SECOND, across: 'both' },
        ['LIMIT-KEY', 'LIMIT-RW', 'HDR-5'],
      ],
    ] as const,
    10,
  ),
)('a limit that budgets have together is found, from whichever kind it refuses: %j', async (shared, broken) => {
  const deviation: Deviation = { operator: 'second-limit', parameters: { ...shared, only: null } };
  const run = await runUnder([deviation], anchored);
  for (const kind of shared.kinds) {
    const [found] = foundBy(either, kind, run);
    expect(found?.deviations).toEqual([deviation]);
    expect(found?.deviations.flatMap((each) => breaks(each))).toEqual(broken);
  }
});

thorough('a limit of all requests, with a key or without, is cheaper than one of all keys', async () => {
  const parameters = {
    kinds: ['read', 'write'],
    only: null,
    limit: 150,
    window: 60 * SECOND,
    across: 'anyone',
  } as const;
  const run = await runUnder([{ operator: 'second-limit', parameters }], anchored);
  for (const kind of ['read', 'write'] as const) {
    const [found] = foundBy(either, kind, run).toSorted((one, other) => one.bits - other.bits);
    expect(found?.deviations).toMatchObject([{ parameters: { across: 'anyone' } }]);
    expect(found?.deviations.flatMap((each) => breaks(each))).toEqual(['LIMIT-KEY', 'LIMIT-RW', 'LIMIT-ANON', 'HDR-5']);
  }
});

thorough('a limit of each key and kind by itself is not taken for a shared one', async () => {
  const parameters = { only: null, limit: 12, window: SECOND };
  const run = await runUnder([{ operator: 'second-limit', parameters: { kinds: ['read', 'write'], ...parameters } }]);
  for (const kind of ['read', 'write'] as const) {
    expect(foundBy(either, kind, run)[0]?.deviations).toEqual([
      { operator: 'second-limit', parameters: { kinds: [kind], ...parameters } },
    ]);
  }
});

test('a limit of reads and writes together that its refusals state is found from either kind', () => {
  const END = 60 * SECOND;
  /** Requests of one kind, and what their answers state: so many left, or that a limit refused them. */
  const sent = (kind: Kind, at: number, lefts: readonly (number | string)[]): readonly Sketch[] =>
    lefts.map((left, index) => ({
      ...{ kind, operation: kind === 'read' ? 'get-service' : 'put-label', sent: at + index * 10_000 },
      status: typeof left === 'string' ? 429 : 200,
      headers: headers({
        limit: [typeof left === 'string' ? left : kind === 'read' ? '100' : '30'],
        remaining: [typeof left === 'string' ? '0' : String(left)],
        reset: [String((EPOCH + (at < END ? END : 2 * END)) / 1e6)],
      }),
    }));
  const down = (from: number, to: number): readonly number[] =>
    Array.from({ length: from - to + 1 }, (_, at) => from - at);
  const all = exchanges(
    ...[...sent('read', 0, [...down(99, 0), '100']), ...sent('write', 10 * SECOND, [...down(29, 10), '120', '120'])],
    ...[...sent('write', 70 * SECOND, [...down(29, 0), '30']), ...sent('read', 80 * SECOND, [...down(99, 10), '120'])],
  );
  const budgets = (['read', 'write'] as const).map((kind) => {
    const own = all.filter((each) => each.kind === kind);
    const offset = { low: 0, high: 0 };
    return { history: makeHistory(own, { key: 'key-1', kind }, inferMarker(own, EPOCH), offset) };
  });
  for (const kind of ['read', 'write'] as const) {
    expect(foundBy(proposeToldSharedLimits, kind, { budgets, anonymous: [] })[0]?.deviations).toEqual([
      {
        operator: 'second-limit',
        parameters: {
          ...{ kinds: ['read', 'write'], only: null, limit: 120, window: END, across: 'kinds' },
          told: { counted: 'besides', by: 'refusals' },
        },
      },
    ]);
  }
});

test('refusals by a spent budget are not of the limit of an operation that spent it, if its refusals are counted', () => {
  const sent = (operation: string, at: number, lefts: readonly number[], status: number): readonly Sketch[] =>
    lefts.map((left, index) => ({
      ...{ kind: 'read', operation, sent: at + index * 10_000, status },
      headers: headers({ limit: ['100'], remaining: [String(left)], reset: [String((EPOCH + 60 * SECOND) / 1e6)] }),
    }));
  const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, at) => from - at);
  const own = exchanges(
    ...sent('get-service', 0, down(99, 90), 200),
    ...sent('list-labels', 5 * SECOND, down(89, 70), 200),
    ...sent('list-labels', 6 * SECOND, down(69, 0), 429),
    ...sent('get-service', 20 * SECOND, [0, 0, 0], 429),
  );
  const offset = { low: 0, high: 0 };
  const history = makeHistory(own, { key: 'key-1', kind: 'read' }, inferMarker(own, EPOCH), offset);
  const found = foundBy(proposeSecondLimits, 'read', { budgets: [{ history }], anonymous: [] });
  const deviations = found.flatMap((each) => each.deviations);
  expect(deviations).toContainEqual(
    expect.objectContaining({
      parameters: expect.objectContaining({ only: { attribute: 'operation', classes: ['list-labels'] }, limit: 20 }),
    }),
  );
});

test('where each request is a GET, no limit of GETs is told, nor one above that of clause 8', () => {
  const found = foundBy(proposeSecondLimits, 'read', { budgets: [{ history: twoClocks(102) }], anonymous: [] });
  expect(found.map(({ deviations }) => deviations)).toEqual(
    found.map(() => [expect.objectContaining({ parameters: expect.objectContaining({ only: null, limit: 100 }) })]),
  );
});

thorough('a limit of each key that counts failed requests is stated without the other keys', async () => {
  const [found] = foundBy(proposeSharedLimits, 'read', await runOfDraw('second-limit', 8395115));
  const [deviation] = found?.deviations ?? [];
  expect(deviation).toEqual({
    operator: 'second-limit',
    parameters: { kinds: ['read'], only: null, limit: 15, window: 5 * SECOND },
  });
});

thorough.each([130, 150])('a quota of %d reads that lasts longer than the run is found', async (limit) => {
  const parameters = { kinds: ['read'], only: null, limit, window: HOUR } as const;
  const [found] = foundBy(either, 'read', await runUnder([{ operator: 'second-limit', parameters }]));
  expect(found?.deviations).toEqual([{ operator: 'second-limit', parameters }]);
});

thorough(
  'a quota of each budget is likelier than use by others, though refusals say that nothing is left',
  async () => {
    const quota = (kind: Kind, limit: number): Deviation => {
      return { operator: 'second-limit', parameters: { kinds: [kind], only: null, limit, window: 300 * SECOND } };
    };
    const { budgets, anonymous } = await runUnder([quota('read', 150), quota('write', 45)]);
    const silent = budgets.map(({ history }) =>
      withEvents(history, (event) => (event.outcome === 'refused' ? { ...event, remaining: 0 } : event)),
    );
    const { kinds } = diagnoseRun(silent, anonymous);
    expect(kinds.map(({ minimal }) => minimal.map(({ deviations }) => deviations))).toEqual([
      [[{ ...quota('read', 150), parameters: { ...quota('read', 150).parameters, window: HOUR } }]],
      [[{ ...quota('write', 45), parameters: { ...quota('write', 45).parameters, window: HOUR } }]],
    ]);
  },
);

test('what lets requests through again after a refusal is no quota for the whole run', () => {
  const write = (seconds: number, status: number, left: number, end: number): Sketch => ({
    ...{ kind: 'write', operation: 'create-label', sent: seconds * SECOND, status },
    headers: headers({ remaining: [`${left}`], reset: [`${EPOCH / SECOND + end}`] }),
  });
  const burst = (at: number, statuses: readonly number[], end: number) =>
    statuses.map((status, sent) => write(at + sent / 50, status, 29 - sent, end));
  const times = (count: number, status: number) => Array.from({ length: count }, () => status);
  // The second window lets half of the limit through, and the third is open again.
  const half = burst(62, [...times(5, 404), ...times(10, 200), 429], 121);
  const sent = exchanges(...burst(1, times(30, 200), 61), ...half, write(122, 200, 29, 181));
  const own = { key: 'key-1', kind: 'write', until: Number.POSITIVE_INFINITY } as const;
  const history = makeHistory(sent, own, inferMarker(sent, EPOCH), { low: 0, high: 0 });
  const found = foundBy(proposeSecondLimits, 'write', { budgets: [{ history }], anonymous: [] });
  expect(found.flatMap(({ deviations }) => deviations)).not.toContainEqual(
    expect.objectContaining({ parameters: expect.objectContaining({ window: HOUR }) }),
  );
});

thorough('a second limiter may hold the same limit in windows of its own', async () => {
  const second = (kind: Kind, limit: number): Deviation => {
    return { operator: 'second-limit', parameters: { kinds: [kind], only: null, limit, window: 60 * SECOND } };
  };
  const run = await runUnder([second('read', 100), second('write', 30)], { name: 'grid', phase: 'clock' });
  for (const [kind, limit] of [
    ['read', 100],
    ['write', 30],
  ] as const) {
    expect(foundBy(proposeSecondLimits, kind, run)[0]?.deviations).toEqual([second(kind, limit)]);
  }
});

test('a class of requests is not said to have the limit of all besides', () => {
  const read = (sent: number, operation: string, status: number, left: number, end: number): Sketch => ({
    ...{ operation, sent, status, headers: headers({ remaining: [`${left}`], reset: [`${EPOCH / SECOND + end}`] }) },
  });
  // The whole budget goes to one operation, and its refusal has the headers of another request.
  const sketches = [
    read(0, 'search', 200, 99, 60),
    ...Array.from({ length: 100 }, (_, at) => read((61 + at / 2) * SECOND, 'get-service', 200, 99 - at, 121)),
    read(112 * SECOND, 'get-service', 429, 99, 121),
  ];
  const sent = exchanges(...sketches);
  const marker = inferMarker(sent, EPOCH);
  const [offset, until] = [{ low: 0, high: 0 }, Number.POSITIVE_INFINITY] as const;
  const world = conformingWorld([makeHistory(sent, { key: 'key-1', kind: 'read', until }, marker, offset)]);
  const found = [...proposeSecondLimits(world, contextOf('read'))].flatMap(({ deviations }) => deviations);
  const limits = found.map(({ parameters }) => parameters);
  expect(limits).not.toContainEqual(
    expect.objectContaining({ limit: 100, window: 60 * SECOND, only: expect.anything() }),
  );
  expect(limits.length).toBeGreaterThan(0);
});
