import { expect, test } from 'vitest';
import { sampled, thorough } from '../../../test/sampled.test-support.ts';
import type { Mechanism } from '../../deployment/deployment.ts';
import type { Deviation } from '../../deployment/operators.ts';
import type { History } from '../../oracle/history.ts';
import { inShare } from '../share.ts';
import { conformingWorld, withEvents } from '../world.ts';
import { foundBy, runUnder } from './deviating-world.test-support.ts';
import { proposeLengths, proposePolicies, proposeShortCounters } from './window.ts';

const SECOND = 1_000_000;

const length = (length: number, told: number): Deviation => ({
  operator: 'window-length',
  parameters: { kinds: ['read', 'write'], length, told, from: 'always' },
});

/** What is tried for reads before any search. */
function triedWithoutWork(reads: readonly History[]): readonly unknown[] {
  const world = conformingWorld(reads);
  const tried: unknown[] = [];
  inShare(0, { kind: 'read', otherKind: [], anonymous: [], likely: world.shapes, background: null }, (own) => {
    for (const { deviations } of proposeLengths(world, own)) tried.push(deviations[0]?.parameters);
  });
  return tried;
}

thorough('a minute in the wrong unit is found', async () => {
  const run = await runUnder([length(60_000, 60_000)], { name: 'anchored', wholeSecond: false });
  for (const kind of ['read', 'write'] as const) {
    expect(foundBy(proposeLengths, kind, run)[0]?.deviations).toMatchObject([{ parameters: { length: 60_000 } }]);
  }
});

test('windows whose markers tell a minute are told by how far apart these are, without a search', async () => {
  const { budgets } = await runUnder([length(57 * SECOND, 60 * SECOND)]);
  const reads = budgets.map(({ history }) => history).filter(({ kind }) => kind === 'read');
  expect(triedWithoutWork(reads)).toContainEqual(expect.objectContaining({ length: 57 * SECOND, told: 60 * SECOND }));
});

test('windows from the first request whose markers tell a minute are told by when each turns into the next', async () => {
  const { budgets } = await runUnder([length(68 * SECOND, 60 * SECOND)], { name: 'anchored', wholeSecond: false });
  const reads = budgets.map(({ history }) => history).filter(({ kind }) => kind === 'read');
  expect(triedWithoutWork(reads)).toContainEqual(expect.objectContaining({ length: 68 * SECOND, told: 60 * SECOND }));
});

test('windows of a fraction of a second are tried only where a clock tells that markers are hardly ahead', async () => {
  const { budgets } = await runUnder([]);
  const reads = budgets.map(({ history }) => history).filter(({ kind }) => kind === 'read');
  const unclocked = reads.map((history) => ({ ...history, offset: { low: Number.NEGATIVE_INFINITY, high: Infinity } }));
  for (const histories of [reads, unclocked]) {
    expect(triedWithoutWork(histories)).not.toContainEqual(expect.objectContaining({ length: 60_000 }));
  }
});

test('windows of a fraction of a second more than a minute are told by when one turns into the next', async () => {
  const { budgets } = await runUnder([length(61.7 * SECOND, 61.7 * SECOND)]);
  const reads = budgets.map(({ history }) => history).filter(({ kind }) => kind === 'read');
  const lengths = triedWithoutWork(reads).flatMap((each) =>
    each && typeof each === 'object' && 'length' in each ? [Number(each.length) / SECOND] : [],
  );
  expect(lengths.some((each) => Math.abs(each - 61.7) <= 0.2)).toBe(true);
});

test.each(
  sampled(
    [
      ['a quarter in 15 s', 15 * SECOND, 25, 8, 100],
      ['a sixth in 10 s, which the headers tell', 10 * SECOND, 17, 5, 17],
      ['so many a second', SECOND, 2, 1, 100],
    ],
    10,
  ),
)('a limit that is divided over shorter windows is found: %s', async (_, length, reads, writes, told) => {
  const of = (kind: 'read' | 'write', limit: number, stated: number): Deviation => ({
    operator: 'other-limit',
    parameters: { kind, limit, limitHeader: told === 100 ? stated : limit, remainingFrom: limit, from: 'always' },
  });
  const shorter: Deviation = {
    operator: 'window-length',
    parameters: { kinds: ['read', 'write'], length, told: length, from: 'always' },
  };
  const run = await runUnder([shorter, of('read', reads, 100), of('write', writes, 30)], {
    name: 'anchored',
    wholeSecond: false,
  });
  for (const [kind, limit] of [['read', reads] as const, ['write', writes] as const]) {
    expect(foundBy(proposeLengths, kind, run)[0]?.deviations).toMatchObject([
      { parameters: { length } },
      { parameters: { limit } },
    ]);
  }
});

const MECHANISMS: readonly Mechanism[] = [
  { name: 'grid', phase: 'clock' },
  { name: 'anchored', wholeSecond: false },
  { name: 'log', logRefused: false, reset: 'oldest' },
  {
    ...{ name: 'counter', phase: 'clock', rounding: 'floor', latch: false, reanchor: false },
    ...{ countRefused: false, reset: 'bucket' },
  },
];

thorough.each(
  MECHANISMS.flatMap((mechanism) => [
    [mechanism.name, mechanism, 1, 100, true] as const,
    [mechanism.name, mechanism, 1, 10, true] as const,
    [mechanism.name, mechanism, 1, 10, false] as const,
    [mechanism.name, mechanism, 20, 40, false] as const,
    [mechanism.name, mechanism, 300, 500, true] as const,
  ]),
)('one setting of another length and another limit is found: %s, %j, in %d s %d, stated: %s', async (...given) => {
  const [, mechanism, seconds, limit, isStated] = given;
  const run = await runUnder(
    [
      length(seconds * SECOND, seconds * SECOND),
      {
        operator: 'other-limit',
        parameters: {
          ...{ kind: 'read', limit, limitHeader: isStated ? limit : 100, remainingFrom: isStated ? limit : 100 },
          from: 'always',
        },
      },
    ],
    mechanism,
  );
  const [found] = [proposeLengths, proposePolicies, proposeShortCounters].flatMap((proposer) =>
    foundBy(proposer, 'read', run),
  );
  const due = [{ parameters: { length: seconds * SECOND } }, { parameters: { limit } }];
  expect(found?.deviations).toMatchObject(limit === 100 ? due.slice(0, 1) : due);
});

thorough('windows that end after their markers are found, though these are put off until they do', async () => {
  const grid = { name: 'grid', phase: 'process' } as const;
  const { budgets, anonymous } = await runUnder([length(63 * SECOND, 60 * SECOND)], grid);
  const putOff = budgets.map(({ history }) => ({
    history: withEvents(history, (event) => {
      const { low, high } = history.offset;
      const next = Math.ceil(event.to / SECOND) * SECOND + Math.round((low + high) / 2);
      return { ...event, reset: event.reset === null ? null : Math.max(event.reset, next) };
    }),
  }));
  for (const kind of ['read', 'write'] as const) {
    expect(foundBy(proposeLengths, kind, { budgets: putOff, anonymous })[0]?.deviations).toMatchObject([
      { parameters: { length: 63 * SECOND, told: 60 * SECOND } },
    ]);
  }
});
