import { expect, test } from 'vitest';
import type { Event, History } from '../../oracle/history.ts';
import { Work } from '../../oracle/work.ts';
import { Fitter } from '../fitter.ts';
import { conformingWorld } from '../world.ts';
import { alsoCharged, chargedHere } from './charged.ts';

const answered = (from: number, remaining: number | null, status = 200): Event => {
  const exchange = { seq: from, connection: from, status } as Event['exchange'];
  return { exchange, from, to: from + 900, outcome: 'accepted', group: '', remaining, reset: 60e6 };
};

const history = (limit: number, events: readonly Event[]): History => ({
  ...{ key: 'key-1', kind: 'write', limit, shown: limit, unit: 1e6, events },
  ...{ offset: { low: 0, high: 0 }, until: Number.POSITIVE_INFINITY },
});

/** More reads than are left, of which some may have been counted here, and then writes one by one. */
const reads = Array.from({ length: 40 }, (_, at) => chargedHere(answered(at, null), true));
const explained = (left: readonly number[]): boolean => {
  const writes = left.map((remaining, at) => answered(1_000_000 + 100_000 * at, remaining));
  const world = conformingWorld([alsoCharged(history(30, writes), reads)]);
  const shapes = world.shapes.filter(({ mechanism }) => mechanism === 'grid');
  return new Fitter(new Work(1_000_000)).fit({ ...world, shapes }) !== null;
};

test('in a window, each request leaves less than the one before, whatever was charged before them', () => {
  expect(explained([19, 18, 17, 16])).toBe(true);
  expect(explained([19, 19, 18, 18])).toBe(false);
});

test('only a request that failed may be given back', () => {
  const foreign = [...reads, chargedHere(answered(41, null, 404), true)];
  const charged = alsoCharged(history(30, [answered(5000, 0)]), foreign).events.map(({ outcome }) => outcome);
  expect(charged.slice(-3)).toEqual(['extra', 'unclear', 'accepted']);
});
