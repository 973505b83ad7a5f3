import { expect, test } from 'vitest';
import type { Event, History } from '../oracle/history.ts';
import { bitsOfOpenOrder } from './open-order.ts';
import { conformingWorld, type World } from './world.ts';

/** Budgets of requests that were all under way at once, and what each had left. */
function worldOf(crowds: readonly (readonly number[])[], open: Partial<Event>): World {
  const histories = crowds.map((left, at) => {
    const events = left.map((remaining): Event => {
      const exchange = { headers: { remaining: [`${remaining}`] } } as unknown as Event['exchange'];
      return { exchange, from: 0, to: 1000, outcome: 'accepted', group: '', remaining, reset: null, ...open };
    });
    return { key: `key-${at + 1}`, kind: 'read', limit: 100, shown: 100, unit: null, events } as unknown as History;
  });
  return conformingWorld(histories);
}

const RACE: Partial<Event> = { countedBy: 2000 };
const each = Array.from({ length: 60 }, (_, at) => at);
const falling = each.map((at) => 99 - at);
const inPairs = each.map((at) => 99 - Math.floor(at / 2));
const alike = each.map(() => 99);

test('what a race leaves open of Remaining takes bits where it does not always follow in one way', () => {
  expect(bitsOfOpenOrder(worldOf([alike, alike], RACE))).toBe(0);
  expect(bitsOfOpenOrder(worldOf([falling, falling], RACE))).toBe(0);
  expect(bitsOfOpenOrder(worldOf([inPairs, inPairs], RACE))).toBeGreaterThan(110);
  // A count that is read again now and then counts all that came before.
  const readTwice = each.map((at) => (at < 20 ? 99 : at < 45 ? 79 : 54));
  expect(bitsOfOpenOrder(worldOf([readTwice, readTwice], RACE))).toBeLessThan(40);
});

test('requests that may not be counted, or only briefly, leave as much open', () => {
  const ofRace = bitsOfOpenOrder(worldOf([inPairs], RACE));
  expect(bitsOfOpenOrder(worldOf([inPairs], { outcome: 'doubtful' }))).toBeCloseTo(ofRace);
  expect(bitsOfOpenOrder(worldOf([inPairs], { outcome: 'released' }))).toBeCloseTo(ofRace);
});

test('what was told counts, also if the world does not judge it', () => {
  const ofRace = bitsOfOpenOrder(worldOf([inPairs], RACE));
  expect(bitsOfOpenOrder(worldOf([inPairs], { ...RACE, remaining: null }))).toBeCloseTo(ofRace);
  const silent = worldOf([inPairs], { remaining: null });
  const answers = new Set(silent.histories.flatMap(({ events }) => events.map(({ exchange }) => exchange)));
  expect(bitsOfOpenOrder(silent, answers)).toBeCloseTo(ofRace);
  expect(bitsOfOpenOrder(silent)).toBe(0);
});

test('requests that are counted at once leave nothing open', () => {
  expect(bitsOfOpenOrder(worldOf([falling, inPairs], {}))).toBe(0);
});
